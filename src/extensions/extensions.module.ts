import { Global, Inject, Module, type DynamicModule, type OnModuleInit, type Provider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { AssignmentHooks, type AssignmentHook } from '../dispatch/index.js';
import { BUILTIN_CHECKS, BUILTIN_MODELS, BUILTIN_OPERATORS } from '../engine/index.js';
import { BUILT_IN_FIELD_TYPES, FIELD_TYPES } from '../fields/index.js';
import { RecordHooks, type RecordHook } from '../records/index.js';
import { DISTRIBUTION_MODELS, ELIGIBILITY_CHECKS, TRIGGER_OPERATORS } from '../routers/index.js';
import type { FairleadExtension, Provided } from './fairlead-extension.js';
import { requireDistinctNames } from './load-extensions.js';

const RECORD_HOOKS = Symbol('RecordHooks');
const ASSIGNMENT_HOOKS = Symbol('AssignmentHooks');

/**
 * Provides the built-in items and those of extensions, in this order, under one injection token for each
 * kind.
 */
@Global()
@Module({})
export class ExtensionsModule implements OnModuleInit {
  constructor(
    private readonly modules: ModuleRef,
    @Inject(RECORD_HOOKS) private readonly recordHooks: readonly RecordHook[],
    @Inject(ASSIGNMENT_HOOKS) private readonly assignmentHooks: readonly AssignmentHook[],
  ) {}

  /** @throws Error where two extensions have the same name */
  static forRoot(extensions: readonly FairleadExtension[]): DynamicModule {
    requireDistinctNames(extensions);
    const added = <T>(of: (extension: FairleadExtension) => readonly T[] | undefined): readonly T[] =>
      extensions.flatMap((extension) => of(extension) ?? []);
    return {
      module: ExtensionsModule,
      imports: [...added(({ imports }) => imports)],
      providers: [
        ...provide(FIELD_TYPES, [...BUILT_IN_FIELD_TYPES, ...added((each) => each.fieldTypes)]),
        ...provide(TRIGGER_OPERATORS, [...BUILTIN_OPERATORS, ...added((each) => each.triggerOperators)]),
        ...provide(DISTRIBUTION_MODELS, [...BUILTIN_MODELS, ...added((each) => each.distributionModels)]),
        ...provide(ELIGIBILITY_CHECKS, [...BUILTIN_CHECKS, ...added((each) => each.eligibilityChecks)]),
        ...provide(
          RECORD_HOOKS,
          added((each) => each.recordHooks),
        ),
        ...provide(
          ASSIGNMENT_HOOKS,
          added((each) => each.assignmentHooks),
        ),
      ],
      exports: [FIELD_TYPES, TRIGGER_OPERATORS, DISTRIBUTION_MODELS, ELIGIBILITY_CHECKS],
    };
  }

  onModuleInit(): void {
    const records = this.modules.get(RecordHooks, { strict: false });
    const assignments = this.modules.get(AssignmentHooks, { strict: false });
    for (const hook of this.recordHooks) records.register(hook);
    for (const hook of this.assignmentHooks) assignments.register(hook);
  }
}

/**
 * Returns the providers of one token. Each class becomes a provider, and the token gets the instances in
 * order. No two may have the same id.
 */
function provide<T extends object>(token: symbol, items: readonly Provided<T>[]): Provider[] {
  const places = items.map((item) => (typeof item === 'function' ? item : undefined));
  const classes = places.filter((item) => item !== undefined);
  return [
    ...classes,
    {
      provide: token,
      inject: classes,
      useFactory: (...instances: T[]): T[] => {
        const left = [...instances];
        const all = items.map((item, place) => (places[place] === undefined ? item : left.shift()) as T);
        // FieldTypeRegistry refuses types.
        if (token !== FIELD_TYPES) requireDistinct(token, all);
        return all;
      },
    },
  ];
}

/** @throws RangeError where two have the same id; hooks have none */
function requireDistinct({ description }: symbol, all: readonly { readonly id?: string }[]): void {
  const ids = all.flatMap(({ id }) => id ?? []);
  const again = ids.find((id, index) => ids.indexOf(id) < index);
  if (again !== undefined) throw new RangeError(`Registered twice: ${description ?? ''} ${again}`);
}
