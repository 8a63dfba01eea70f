const { rmSync } = require('node:fs');

module.exports = async () => {
  const { server, dataDir } = globalThis.fairleadServer ?? {};
  await server?.close();
  if (dataDir !== undefined) rmSync(dataDir, { recursive: true, force: true });
};
