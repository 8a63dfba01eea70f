import { BuildPace } from './build-pace.js';

it('halves parts that take too long down to one record, and doubles them again up to where they were', () => {
  const pace = new BuildPace();
  const most = pace.most;
  const tried = [most];
  while (pace.tooLong()) tried.push(pace.most);
  expect(tried).toEqual([2_000, 1_000, 500, 250, 125, 62, 31, 15, 7, 3, 1]);
  pace.done(5_000);
  expect(pace.most).toBe(1);
  for (let parts = 0; parts < 20; parts++) pace.done(10);
  expect(pace.most).toBe(most);
});

it('makes parts smaller before they are too long, and leaves those that take about as long as they should', () => {
  const pace = new BuildPace();
  pace.done(1_001);
  expect(pace.most).toBe(1_000);
  pace.done(600);
  expect(pace.most).toBe(1_000);
});

it('rests twice as long after each failure, for an hour at most, and as at first after a part', () => {
  const pace = new BuildPace();
  const rest = (now: number): number => {
    pace.failed(now);
    let ms = 0;
    while (pace.isResting(now + ms)) ms += 1_000;
    return ms;
  };
  expect(pace.isResting(0)).toBe(false);
  const rests = Array.from({ length: 10 }, (_, index) => rest(index * 10_000_000));
  expect(rests.slice(0, 4)).toEqual([15_000, 30_000, 60_000, 120_000]);
  expect(rests.at(-1)).toBe(3_600_000);
  pace.done(10);
  expect(rest(1e9)).toBe(15_000);
});
