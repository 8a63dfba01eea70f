/** What may have rules or steps, as it is read or as it is stored. */
interface Whole<Part> {
  readonly rules?: readonly (Part & Whole<Part>)[];
  readonly steps?: readonly Part[] | null;
}

interface PartPlace<Part> {
  /** Such as `settings.rules[0].steps[1]`. */
  readonly path: string;
  readonly place: number;
  /** The rule of a step; undefined for rules, and for the steps of the router. */
  readonly rule?: Part;
}

/** Returns settings in which each rule and step is what the change makes of it. */
export function mapParts<Part extends object, Settings extends Whole<Part>>(
  settings: Settings,
  change: (part: Part, at: PartPlace<Part>) => Part,
): Settings {
  const steps = (of: Whole<Part>, path: string, rule?: Part): Whole<Part> => {
    const placed = (index: number) => ({
      path: `${path}.steps[${index}]`,
      place: index + 1,
      ...(rule && { rule }),
    });
    return of.steps ? { steps: of.steps.map((step, index) => change(step, placed(index))) } : {};
  };
  const rules = settings.rules?.map((rule, index) => {
    const path = `settings.rules[${index}]`;
    return { ...change(rule, { path, place: index + 1 }), ...steps(rule, path, rule) };
  });
  return { ...settings, ...(rules && { rules }), ...steps(settings, 'settings') };
}

/** Returns the rules of settings, each with its steps behind it, and the steps of the router. */
export function partsOf<Part extends object>(
  settings: Whole<Part>,
): ({ readonly part: Part } & PartPlace<Part>)[] {
  const found: ({ readonly part: Part } & PartPlace<Part>)[] = [];
  mapParts(settings, (part: Part, at) => {
    found.push({ part, ...at });
    return part;
  });
  return found;
}
