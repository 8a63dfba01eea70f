import { chooseByCredit, CREDIT_UNIT } from './credit.js';

/** Share in percent, credit before the turn in hundredths, last turn. */
const contender = (share: number, credit: number, last = 0) => ({
  weight: BigInt(share),
  credit: (CREDIT_UNIT * BigInt(share + credit)) / 100n,
  last,
});

describe('chooseByCredit', () => {
  it('takes the only one, whatever the credit', () => {
    expect(chooseByCredit([contender(100, -300)])).toEqual({ index: 0, rule: 'only_one' });
  });

  it('breaks ties by the least recent turn, then by the order given', () => {
    const third = (last: number) => ({ weight: 1n, credit: CREDIT_UNIT / 3n, last });
    expect(chooseByCredit([third(0), third(0), third(0)]).index).toBe(0);
    expect(chooseByCredit([third(2), third(0), third(0)]).index).toBe(1);
    expect(chooseByCredit([third(5), third(3), third(4)]).index).toBe(1);
  });

  it('takes the earliest deadline among those due when the credits are closed', () => {
    // m = 3, d = 1/4; credits with the share 0.50, 0.35, 0.15; deadlines (0.75 - credit)/share = 0.5, 2.67
    // and not due.
    const closed = [contender(50, 0), contender(15, 20), contender(35, -20)];
    expect(chooseByCredit(closed)).toEqual({ index: 0, rule: 'earliest_deadline' });
    // The largest credit, but a far deadline: (0.75 - 0.45)/0.05 = 6 against (0.75 - 0.40)/0.60 = 0.58.
    const far = [contender(5, 40), contender(60, -20), contender(35, -20)];
    expect(chooseByCredit(far)).toEqual({ index: 1, rule: 'earliest_deadline' });
  });

  it('takes the one owed most when somebody absent holds credit', () => {
    const open = [contender(5, 40), contender(60, -20), contender(35, -10)];
    expect(chooseByCredit(open)).toEqual({ index: 0, rule: 'most_owed' });
  });

  it('takes the one owed most of those past every deadline', () => {
    const overdue = [contender(60, 20), contender(5, 110), contender(35, -130)];
    expect(chooseByCredit(overdue)).toEqual({ index: 1, rule: 'most_owed' });
  });

  it('takes somebody even where all are far ahead', () => {
    expect(chooseByCredit([contender(50, -300), contender(50, -200)])).toEqual({
      index: 1,
      rule: 'most_owed',
    });
  });
});
