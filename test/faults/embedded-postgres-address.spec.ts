import { Workshop, query } from './embedded-support.js';
import { waitFor } from '../support/wait-for.js';

describe('the address of an embedded PostgreSQL whose socket is in a temporary directory', () => {
  const workshop = new Workshop();
  let project: string;
  let dataDir: string;

  beforeAll(() => {
    project = workshop.install(workshop.folder());
  });
  beforeEach(async () => {
    // The path is too long for a socket.
    dataDir = await workshop.keptDataDir('d'.repeat(90));
  });
  afterEach(async () => workshop.stop());
  afterAll(async () => workshop.remove());

  it('stays when a process with another such directory starts it again', async () => {
    const [here, there] = [workshop.folder(), workshop.folder()];
    const first = workshop.holder(project, { dataDir }, { temporary: here });
    const { url } = await first.message('open');
    const second = workshop.holder(project, { dataDir }, { temporary: there });
    expect((await second.message('open')).url).toBe(url);
    await first.kill();
    await workshop.killServer(dataDir);
    const answer = await waitFor('the server', () => query(url, 'SELECT 1 AS one').catch(() => undefined));
    expect(answer).toEqual([{ one: 1 }]);
    await second.close();
    expect(await workshop.server(dataDir)).toBeUndefined();
  });

  it('is lost for good when a process that did not know it has started it elsewhere', async () => {
    const [here, there] = [workshop.folder(), workshop.folder()];
    const first = workshop.holder(project, { dataDir }, { temporary: here });
    const { url } = await first.message('open');
    process.kill(first.pid, 'SIGSTOP');
    await workshop.killServer(dataDir);
    const second = workshop.holder(project, { dataDir }, { temporary: there });
    expect((await second.message('open')).url).not.toBe(url);
    process.kill(first.pid, 'SIGCONT');
    await waitFor('word of the loss', () => first.logged(`has moved to ${there}`));
    await first.close();
    await second.close();
    expect(await workshop.server(dataDir)).toBeUndefined();
  });
});
