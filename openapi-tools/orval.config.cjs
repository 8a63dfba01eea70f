module.exports = {
  fairlead: {
    input: '../docs/openapi.json',
    output: {
      target: 'generated/orval/client.ts',
      client: 'fetch',
      override: { mutator: { path: 'tours/orval-request.ts', name: 'request' } },
    },
  },
};
