import type { RotationType, RouterSettings, Trigger } from '../router-configuration.js';

/** The flat form of a router's settings that the interface shows (contract, section 4): every key, defaults included. */
export interface FlatSettings {
  readonly owner_field: string;
  readonly overwrite: boolean;
  readonly overwrite_if_unavailable: boolean;
  readonly distribution_model: string;
  readonly rotation_type: RotationType;
  readonly default_user: string | null;
  readonly disable_default_assignment: boolean;
  readonly ignore_working_hours: boolean;
  readonly account_matching: boolean;
  readonly trigger: Trigger;
}

/** Renders settings so that parsing the result gives the same settings again. */
export function renderSettings(settings: RouterSettings): FlatSettings {
  return {
    owner_field: settings.ownerField,
    overwrite: settings.overwrite,
    overwrite_if_unavailable: settings.overwriteIfUnavailable,
    distribution_model: settings.distributionModel,
    rotation_type: settings.rotationType,
    default_user: settings.defaultUser,
    disable_default_assignment: settings.disableDefaultAssignment,
    ignore_working_hours: settings.ignoreWorkingHours,
    account_matching: settings.accountMatching,
    trigger: settings.trigger,
  };
}
