module.exports = async () => {
  await globalThis.fairleadServer?.close();
};
