import type { RequestHandler } from 'express';
import { inOrder } from './in-order.js';

/** Runs middleware. @returns what `next` was called with, each time */
function run(handlers: readonly RequestHandler[]): unknown[] {
  const ends: unknown[] = [];
  void inOrder(handlers)({} as never, {} as never, (error?: unknown) => ends.push(error));
  return ends;
}

it('runs middleware one after the other, and goes on once', () => {
  const seen: string[] = [];
  const note =
    (name: string): RequestHandler =>
    (_request, _response, next) => {
      seen.push(name);
      next();
    };
  expect(run([note('a'), note('b'), note('c')])).toEqual([undefined]);
  expect(seen).toEqual(['a', 'b', 'c']);
});

it('goes on with the error of one, and runs none behind it', () => {
  const error = new Error('refused');
  const behind = jest.fn();
  expect(run([(_request, _response, next) => next(error), behind])).toEqual([error]);
  expect(behind).not.toHaveBeenCalled();
});

it('throws what one throws, which Express passes on as an error', () => {
  const refuse: RequestHandler = () => {
    throw new Error('refused');
  };
  expect(() => run([refuse])).toThrow('refused');
});

it('does not go on where one does not: it has answered, or cut the connection', () => {
  const behind = jest.fn();
  expect(run([() => undefined, behind])).toEqual([]);
  expect(behind).not.toHaveBeenCalled();
});
