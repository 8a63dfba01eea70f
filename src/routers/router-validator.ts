import { Inject, Injectable } from '@nestjs/common';
import type { Directory } from '../directory/index.js';
import {
  keepRotations,
  parseSettings,
  resolveRulePools,
  storeSettings,
  validateRouter,
  type DistributionModel,
  type TriggerOperator,
} from '../engine/index.js';
import type { FieldError } from '../errors/domain-error.js';
import { FieldTypeRegistry, type FieldCatalog, type ObjectType } from '../fields/index.js';
import { normalizeEmail } from '../text/email-key.js';
import { shownName } from '../text/shown-name.js';
import { rulePeople } from './compilable-router.js';
import { fieldLookup } from './field-lookup.js';
import type { RouterContent, RouterTeam, RouterUser } from './router.entity.js';
import type { VersionedRouter } from './router-version-reader.js';
import { routerPool } from './router-pool.js';
import { DISTRIBUTION_MODELS, TRIGGER_OPERATORS } from './routing-extensions.js';
import { configurableSettings, emptyRules, storedIdentities } from './stored-rules.js';

/** A router before validation. */
export interface UncheckedRouter {
  readonly objectType: ObjectType;
  /** The flat form of contract section 4; keys may be left out. */
  readonly settings: Readonly<Record<string, unknown>> | null;
  /** The stored settings that these replace: rules keep their rotations, and may list nobody as before. */
  readonly before?: Readonly<Record<string, unknown>> | null | undefined;
  readonly users: readonly RouterUser[];
  readonly teams: readonly RouterTeam[];
}

/** A stored version of a router, or its draft. */
export type StoredVersion = Pick<VersionedRouter, keyof RouterContent | 'objectType' | 'archivedTeams'>;

/** Validates routers before they are stored, so that every stored router can run. */
@Injectable()
export class RouterValidator {
  constructor(
    private readonly types: FieldTypeRegistry,
    @Inject(TRIGGER_OPERATORS) private readonly operators: readonly TriggerOperator[],
    @Inject(DISTRIBUTION_MODELS) private readonly models: readonly DistributionModel[],
  ) {}

  /**
   * Validates the settings of a router.
   * @returns the settings in their stored form with every key; or every failing key.
   */
  validate(
    draft: UncheckedRouter,
    catalog: FieldCatalog,
    directory: Directory,
  ): { ok: true; settings: Record<string, unknown> | null } | { ok: false; errors: readonly FieldError[] } {
    const fields = fieldLookup(catalog, this.types, directory);
    const { objectType } = draft;
    const parsed =
      draft.settings === null
        ? undefined
        : parseSettings(draft.settings, objectType, {
            fields,
            operators: this.operators,
            models: this.models,
            emptyRules: emptyRules(draft.before ?? null),
          });
    const settings = parsed?.ok === true ? parsed.settings : null;
    const rules = resolveRulePools(settings?.rules ?? [], rulePeople(directory));
    const errors: FieldError[] = [
      ...(parsed?.ok === false ? parsed.errors : []),
      ...rules.issues,
      ...validateRouter({ settings, ...routerPool(draft, directory), rules: rules.pools }, this.models),
    ];
    // It is looked up also where other settings fail, so that one answer has both.
    const field = 'settings.default_user';
    const backup = draft.settings?.['default_user'];
    const isRead = typeof backup === 'string' && !errors.some((error) => error.field === field);
    if (isRead && directory.findUser(backup) === undefined) {
      errors.push({ field, message: `${shownName(normalizeEmail(backup))} is not a user of the account` });
    }
    if (errors.length > 0) return { ok: false, errors };
    if (settings === null) return { ok: true, settings };
    const kept = keepRotations(settings.rules, storedIdentities(draft.before ?? null));
    return { ok: true, settings: { ...storeSettings({ ...settings, rules: kept }) } };
  }

  /** Returns what keeps a stored version from being published as things are configured now. */
  check(
    { objectType, settings, users, teams, archivedTeams = [] }: StoredVersion,
    catalog: FieldCatalog,
    directory: Directory,
  ): readonly FieldError[] {
    const gone = (what: string) => `This ${what} of the pool is none of the account any more`;
    const errors: FieldError[] = [
      ...users.flatMap(({ userId }, index) =>
        directory.user(userId) === undefined
          ? [{ field: `users[${index}].email`, message: gone('user') }]
          : [],
      ),
      ...teams.flatMap(({ teamId }, index) =>
        directory.team(teamId) === undefined
          ? [{ field: `teams[${index}].name`, message: gone('team') }]
          : [],
      ),
      // Without an active team of the name, the rule is refused below.
      ...archivedTeams
        .filter(({ name }) => directory.findTeam(name) !== undefined)
        .map(({ field, name }) => ({
          field,
          message: `The team ${name} of this version is archived: the one that is called so now is another`,
        })),
    ];
    const unchecked = {
      objectType,
      settings: configurableSettings(settings),
      before: settings,
      users,
      teams,
    };
    const checked = this.validate(unchecked, catalog, directory);
    return checked.ok ? errors : [...errors, ...checked.errors];
  }
}
