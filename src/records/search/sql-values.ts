import type { Statement } from '../../database/index.js';

/** A statement that is composed for one request, with its values. It has no name, so that none is kept. */
export interface Composed {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

/** The values of statements that are composed of parts: values never stand in their texts. */
export class SqlValues {
  private readonly places = new Map<string, string>();
  private readonly all: unknown[];

  /** @param first the values of the parameters that the statement has anyway, from $1 on */
  constructor(...first: readonly unknown[]) {
    this.all = [...first];
  }

  /** Adds a value. @returns the parameter, with its type; that of an equal text where there is one */
  add(value: string | number | readonly string[] | null, type: string): string {
    const key = `${type} ${JSON.stringify(value)}`;
    const known = this.places.get(key);
    if (known !== undefined) return known;
    const place = `$${this.all.push(value)}::${type}`;
    this.places.set(key, place);
    return place;
  }

  /** Returns a statement with those of the values that its text has parameters for. */
  compose(text: string): Composed {
    const used = new Map<string, number>();
    const numbered = text.replace(/\$(\d+)/g, (_, place: string) => {
      const number = used.get(place) ?? used.size + 1;
      used.set(place, number);
      return `$${number}`;
    });
    const values = [...used.keys()].map((place) => this.all[Number(place) - 1]);
    return { statement: { name: '', text: numbered }, values };
  }
}
