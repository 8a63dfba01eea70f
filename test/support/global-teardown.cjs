const { rmSync } = require('node:fs');

module.exports = async () => {
  const { server, folder } = globalThis.fairleadServer ?? {};
  await server?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
};
