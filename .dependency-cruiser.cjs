// Who may know whom: shared rules of the house, held in CI.
const PURE =
  '^src/(engine|text|time|fields/types|fields/catalog|fields/validation|directory/availability|directory/limits)/';
const SPEC = '\\.spec\\.ts$';

// Folders on floors, the lowest first. A folder may import from lower floors and from itself; the files beside the
// folders may import from all floors.
const ROOMS = [
  ['text', 'time'],
  ['database'],
  ['logging', 'settings'],
  ['errors', 'metrics', 'telemetry'],
  ['accounts', 'paging', 'validation'],
  ['directory', 'fields', 'http', 'throttles'],
  ['auth', 'capacities', 'engine'],
  ['assignments', 'idempotency', 'routers'],
  ['configuration'],
  ['records'],
  ['dispatch'],
  ['health', 'transfer'],
  ['management'],
  ['console', 'extensions'],
  ['start'],
  ['commands'],
];
const ENGINE = [['model'], ['trigger', 'pool', 'ledger'], ['eligibility', 'models'], ['rules'], ['decision']];
const MANAGEMENT = [
  ['change'],
  ['managed'],
  ['audit', 'routers'],
  // Users who are archived leave routers.
  ['kinds'],
  ['file'],
];
const DISPATCH = [
  ['dto', 'rotations', 'snapshot'],
  ['decision'],
  ['transaction'],
  ['queue', 'simulation', 'fairness', 'status', 'returned-turns'],
];

/** Rules that hold the floors below a folder. A folder without a floor would be held by none, so it is an error too. */
const floorsOf = (parent, floors) => {
  const name = parent.split('/').at(-1);
  const below = (floor) => floors.slice(0, floor).flat();
  return [
    ...floors.map((folders, floor) => ({
      name: `floor-${floor}-of-${name}`,
      severity: 'error',
      from: { path: `^${parent}/(${folders.join('|')})/`, pathNot: SPEC },
      to: {
        path: `^${parent}/`,
        pathNot: `^${parent}/(${['$1', ...below(floor)].join('|')})/`,
      },
    })),
    {
      name: `folder-of-${name}-without-floor`,
      severity: 'error',
      from: {
        path: `^${parent}/`,
        pathNot: `^${parent}/(${floors.flat().join('|')})/|^${parent}/[^/]+$`,
      },
      to: {},
    },
  ];
};

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, pathNot: SPEC }, to: {} },
    {
      name: 'pure-code-has-no-io',
      comment: 'Pure code knows no framework, no database, no file system and no clock of its own.',
      severity: 'error',
      from: { path: PURE, pathNot: SPEC },
      to: { dependencyTypes: ['npm', 'core'], pathNot: '/(luxon|tr46)/|^url$|^node:url$' },
    },
    {
      name: 'pure-code-stays-among-itself',
      severity: 'error',
      from: { path: PURE, pathNot: SPEC },
      to: {
        path: '^src/',
        pathNot: `${PURE}|^src/(fields/(field-definition|object-type)|directory/(user|team))\\.ts$`,
      },
    },
    ...floorsOf('src', ROOMS),
    ...floorsOf('src/engine', ENGINE),
    ...floorsOf('src/dispatch', DISPATCH),
    ...floorsOf('src/management', MANAGEMENT),
    {
      name: 'testing-is-for-specs',
      severity: 'error',
      from: { path: '^src/', pathNot: SPEC },
      to: { path: '^test/' },
    },
    {
      name: 'typeorm-only-near-the-database',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: `^src/database/|\\.(repository|entity)\\.ts$|${SPEC}|^src/(start/fairlead\\.module|start/options\\.module|commands/admin\\.module)\\.ts$`,
      },
      to: { path: 'node_modules/typeorm/' },
    },
    {
      name: 'typeorm-types-only-in-composition',
      severity: 'error',
      from: { path: '^src/(start/fairlead\\.module|start/options\\.module|commands/admin\\.module)\\.ts$' },
      to: { path: 'node_modules/typeorm/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'http-exceptions-only-in-http',
      comment: 'Services throw domain errors; express is for the HTTP side.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(http|auth)/|^src/start/create-app\\.ts$' },
      to: { path: 'node_modules/(express|helmet|passport|pino-http)' },
    },
    {
      name: 'services-load-no-http',
      comment:
        'Commands load services without routes. What routes share is in src/paging, and what is for them alone in http.ts. Schemas and parameters load nothing.',
      severity: 'error',
      from: {
        path: '^src/.*(\\.(service|repository|section|editor|kind|action)|/index)\\.ts$',
        pathNot: '^src/(http|throttles)/|^src/index\\.ts$|^src/auth/token\\.service\\.ts$',
      },
      to: {
        path: '^src/http/(?!(openapi/schemas|query/parameters)\\.ts)|^src/[a-z]+/http\\.ts$|\\.controller\\.ts$|node_modules/express/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'controllers-know-services-and-dto',
      severity: 'error',
      from: { path: '\\.controller\\.ts$' },
      to: { path: '\\.(repository|entity|statements)\\.ts$' },
    },
    {
      name: 'services-know-no-sql',
      severity: 'error',
      from: { path: '\\.service\\.ts$' },
      to: { path: '\\.statements\\.ts$' },
    },
    {
      name: 'features-meet-at-their-index',
      comment:
        'A feature reaches into another through its index only, and its routes through http.ts too. entities.ts, the pure engine and specs are exempt.',
      severity: 'error',
      from: {
        path: '^src/(accounts|assignments|auth|capacities|configuration|console|directory|dispatch|fields|health|idempotency|management|records|routers|throttles)/',
        pathNot: `${SPEC}|${PURE}`,
      },
      to: {
        path: '^src/(accounts|assignments|auth|capacities|configuration|console|directory|dispatch|fields|health|idempotency|management|records|routers|throttles)/',
        pathNot: '^src/$1/|/(index|http)\\.ts$',
      },
    },
    {
      name: 'migrations-stand-alone',
      severity: 'error',
      from: { path: '^migrations/' },
      to: { path: '^src/' },
    },
    {
      name: 'unit-tests-need-no-service',
      comment: 'Tests in src/ run without a build and a database; those that need one stand in test/.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|dist)/', pathNot: '^test/(units/|support/storm)' },
    },
    {
      name: 'not-to-dev-dependencies',
      severity: 'error',
      from: { path: '^(src|migrations)/', pathNot: SPEC },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
