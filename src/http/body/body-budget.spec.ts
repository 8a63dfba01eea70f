import { BodyBudget } from './body-budget.js';

describe('the memory of bodies', () => {
  it('is bounded for each holder and for all [contract 1]', () => {
    const budget = new BodyBudget({ perHolder: 10, total: 15 });
    const give = budget.reserve('a', 6);
    expect(() => budget.reserve('a', 5)).toThrow('Too many large requests');
    budget.reserve('b', 9);
    expect(() => budget.reserve('c', 1)).toThrow('Too many large requests');
    give();
    give();
    budget.reserve('a', 6);
    expect(() => budget.reserve('c', 1)).toThrow('Too many large requests');
  });
});
