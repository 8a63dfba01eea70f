import { DatabaseUnavailableError, NoAnswerError, OutcomeUnknownError } from '../errors.js';
import {
  isAnswered,
  isConnectionLost,
  isOutage,
  isReadOnly,
  isRetryable,
  isUnanswered,
  isUnavailable,
  violatedIndex,
} from './sqlstate.js';

const failure = (code: unknown, message = 'it failed', values: object = {}): Error =>
  Object.assign(new Error(message), { code }, values);

describe('an error of the database', () => {
  it.each(['40001', '40P01'])('%s is worth another try of the whole transaction', (code) => {
    expect(isRetryable(failure(code))).toBe(true);
    expect(isUnavailable(failure(code))).toBe(false);
  });

  it.each(['23505', '08006', '57014', undefined])('%s is not', (code) => {
    expect(isRetryable(failure(code))).toBe(false);
  });

  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ENOTFOUND',
    'EAI_AGAIN',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    '08000',
    '08006',
    '08P01',
    '25006',
    '25P03',
    '25P04',
    '26000',
    '28000',
    '28P01',
    '3D000',
    '53000',
    '53100',
    '53200',
    '53300',
    '53400',
    '55P03',
    '57014',
    '57P01',
    '57P02',
    '57P03',
    '57P04',
    '57P05',
    '58000',
    '58030',
  ])('%s says that it is unavailable [7, contract 1]', (code) =>
    expect(isUnavailable(failure(code))).toBe(true),
  );

  it.each(['55P03', '57014', '23505', undefined])('%s is no outage', (code) => {
    expect(isOutage(failure(code))).toBe(false);
    expect(isOutage(new DatabaseUnavailableError(failure(code), false))).toBe(
      code === '23505' || code === undefined,
    );
  });

  it.each(['ECONNREFUSED', '25006', '53100', '57P01', '57P03'])('%s is an outage', (code) => {
    expect(isOutage(failure(code))).toBe(true);
    expect(isOutage(new DatabaseUnavailableError(failure(code), true))).toBe(true);
  });

  it.each<[unknown, boolean]>([
    [new Error('Query read timeout'), true],
    [new DatabaseUnavailableError(new Error('Query read timeout'), true), true],
    [new OutcomeUnknownError(new Error('Query read timeout')), true],
    [new Error('timeout exceeded when trying to connect'), true],
    [new NoAnswerError(), true],
    [new Error('Connection terminated due to connection timeout'), false],
    [failure('ECONNREFUSED'), false],
    [failure('57014'), false],
  ])('%s: got no answer in time: %s', (error, is) => expect(isUnanswered(error)).toBe(is));

  it.each(['ENOENT', 'EAGAIN'])('%s says so of a socket, and not of a file [7, contract 1]', (code) => {
    expect(isUnavailable(failure(code, '', { syscall: 'connect' }))).toBe(true);
    expect(isUnavailable(failure(code, '', { syscall: 'open' }))).toBe(false);
  });

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
  ])('without a code says so by its text: %s [7, contract 1]', (message) => {
    expect(isUnavailable(failure(undefined, message))).toBe(true);
  });

  it.each([
    ['ECONNRESET', ''],
    ['EPIPE', ''],
    ['ETIMEDOUT', ''],
    ['08006', ''],
    ['25P03', ''],
    ['57P01', ''],
    ['57P02', ''],
    ['57P05', ''],
    [undefined, 'Connection terminated unexpectedly'],
    [undefined, 'Connection terminated'],
    [undefined, 'Query read timeout'],
    [undefined, 'Client has encountered a connection error and is not queryable'],
  ])('%s %s says that the connection is lost, and what was sent may have happened', (code, message) => {
    expect(isConnectionLost(failure(code, message))).toBe(true);
  });

  it.each([
    ['ECONNREFUSED', ''],
    ['57P03', ''],
    ['57014', ''],
    ['53100', ''],
    ['25006', ''],
    [undefined, 'Connection terminated due to connection timeout'],
    [undefined, 'timeout exceeded when trying to connect'],
    [undefined, 'something else'],
  ])('%s %s says that what was sent, if anything, has failed', (code, message) => {
    expect(isConnectionLost(failure(code, message))).toBe(false);
  });

  it('that was judged already is unavailable, and no lost connection', () => {
    for (const error of [
      new DatabaseUnavailableError(failure('57P01'), true),
      new OutcomeUnknownError(failure('57P01')),
    ]) {
      expect(isConnectionLost(error)).toBe(false);
      expect(isUnavailable(error)).toBe(true);
    }
  });

  it('was answered by PostgreSQL, unless its session ends with it', () => {
    expect(isAnswered(failure('23505', '', { severity: 'ERROR' }))).toBe(true);
    expect(isAnswered(failure('25006', '', { severity: 'ERROR' }))).toBe(true);
    expect(isAnswered(failure('57P01', '', { severity: 'FATAL' }))).toBe(false);
    expect(isAnswered(new Error('Connection terminated'))).toBe(false);
    expect(isReadOnly(failure('25006'))).toBe(true);
  });

  it.each([
    ['42P01', 'relation does not exist'],
    ['23505', 'duplicate key'],
    ['23514', 'check violated'],
    ['22P02', 'invalid input'],
    [undefined, 'something else'],
    [8006, 'a number'],
  ])('%s, %s, is a mistake, not an outage [7]', (code, message) => {
    expect(isUnavailable(failure(code, message))).toBe(false);
  });

  it.each([undefined, null, 'Connection terminated', 5, {}])('is nothing else: %j', (value) => {
    expect(isUnavailable(value)).toBe(false);
    expect(isRetryable(value)).toBe(false);
    expect(violatedIndex(value)).toBeUndefined();
  });

  it('names the unique index that was violated, and no other constraint [2.8]', () => {
    expect(violatedIndex(failure('23505', '', { constraint: 'records_email_key' }))).toBe(
      'records_email_key',
    );
    expect(violatedIndex(failure('23505'))).toBeUndefined();
    const ofPart = 'duplicate key value violates unique constraint "records_external_id_key_102090"';
    expect(violatedIndex(failure('23505', ofPart))).toBe('records_external_id_key');
    expect(violatedIndex(failure('23505', '', { constraint: 'records_email_key_102' }))).toBe(
      'records_email_key',
    );
    expect(violatedIndex(failure('23514', '', { constraint: 'a_check' }))).toBeUndefined();
  });
});
