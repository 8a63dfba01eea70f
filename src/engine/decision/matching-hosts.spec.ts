import { matchingHosts } from './matching-hosts.js';

const SUFFIXES = ['com', 'co.uk', 'uk', 'test'];
const knowledge = {
  registrableDomain: (host: string) => {
    const labels = host.split('.');
    const suffix = labels.findIndex((_, index) => SUFFIXES.includes(labels.slice(index).join('.')));
    return suffix > 0 ? labels.slice(suffix - 1).join('.') : null;
  },
  isFreeMail: (domain: string) => ['gmail.com', 'yahoo.co.uk'].includes(domain),
};

describe('matchingHosts', () => {
  it.each([
    ['acme.com', ['acme.com']],
    ['mail.emea.acme.com', ['mail.emea.acme.com', 'emea.acme.com', 'acme.com']],
    ['mail.acme.co.uk', ['mail.acme.co.uk', 'acme.co.uk']],
    [' Mail.ACME.com. ', ['mail.acme.com', 'acme.com']],
    ['gmail.com', []],
    ['GMail.com', []],
    ['eu.gmail.com', []],
    ['yahoo.co.uk', []],
    ['co.uk', []],
    ['com', []],
    ['localhost', []],
    ['', []],
    ['.', []],
  ])('%j: %j', (domain, hosts) => {
    expect(matchingHosts(domain, knowledge)).toEqual(hosts);
  });

  it('does not take another domain for the registrable one', () => {
    expect(matchingHosts('acme.com', { ...knowledge, registrableDomain: () => 'other.com' })).toEqual([]);
  });
});
