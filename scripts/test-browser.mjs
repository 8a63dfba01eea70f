// Uses /docs in a browser as a person would: authorizes with the form, creates a contact, dispatches it, reads why.
// Needs Chromium: CHROMIUM names it where it is not /usr/bin/chromium.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { startDemoService } from './support/demo-service.mjs';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
if (!existsSync(executablePath)) {
  console.error(
    `There is no browser at ${executablePath}. Install one, such as with \`apt-get install chromium\` on Debian, or ` +
      'name that of the machine: `CHROMIUM=/path/to/chromium npm run test:browser`.',
  );
  process.exit(1);
}

/** Nothing is asked of others than the service. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** @throws what is wrong, unless something holds */
function expect(holds, what) {
  if (!holds) throw new Error(`Not so: ${what}`);
  console.log(`ok      ${what}`);
}

/** Notes what goes wrong in the page beside what it shows. */
function troublesOf(page, url) {
  const troubles = [];
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(`${message.type()}: ${message.text()}`);
  });
  page.on('requestfailed', (request) => troubles.push(`failed: ${request.url()}`));
  page.on('request', (request) => {
    const address = request.url();
    if (!address.startsWith(url) && !address.startsWith('data:')) troubles.push(`elsewhere: ${address}`);
  });
  return troubles;
}

/** Opens an operation, fills in what is given, and executes it. @returns the status and the body */
async function execute(page, id, { parameters = {}, body } = {}) {
  const operation = page.locator(`#operations-${id}`);
  await operation.locator('.opblock-summary-control').click();
  for (const [name, value] of Object.entries(parameters)) {
    await operation.locator(`tr[data-param-name="${name}"] input`).fill(value);
  }
  if (body !== undefined) await operation.locator('textarea.body-param__text').fill(JSON.stringify(body));
  await operation.locator('button.execute').click();
  const live = operation.locator('.live-responses-table');
  const status = (await live.locator('tbody .response-col_status').first().innerText()).trim();
  const text = await live.locator('.response-col_description .highlight-code').first().innerText();
  return {
    status: Number.parseInt(status, 10),
    body: JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)),
  };
}

async function authorize(page, { clientId, clientSecret }) {
  await page.locator('.auth-wrapper .authorize').click();
  const form = page.locator('.auth-container', { hasText: 'clientCredentials' });
  await form.locator('#client_id_clientCredentials').fill(clientId);
  await form.locator('#client_secret_clientCredentials').fill(clientSecret);
  await form.getByText('select all', { exact: true }).click();
  for (const scope of ['availability', 'manage'])
    await form.locator(`label[for^="${scope}-"]`).first().click();
  await form.locator('button.authorize').click();
  await form.locator('button', { hasText: 'Logout' }).waitFor();
  await page.locator('.btn-done').first().click();
}

async function visit(page, service) {
  await page.goto(`${service.url}/docs`);
  await page.locator('.opblock').first().waitFor();
  expect((await page.title()) === 'Fairlead API', 'the page has its title');
  await authorize(page, service);
  expect(true, 'the form authorizes with the id and the secret of a client');

  const created = await execute(page, 'Contacts-createContact');
  expect(created.status === 201, 'Execute creates the contact of the example');
  await page.reload();
  const routers = await execute(page, 'Routers-listRouters');
  expect(routers.status === 200, 'the page is still authorized after a reload');
  const dispatched = await execute(page, 'Dispatch-dispatchRouter', {
    body: { router_id: routers.body.data[0].id, object_id: created.body.id },
  });
  expect(dispatched.body.success === true, 'the contact is dispatched');
  const why = await execute(page, 'Assignments-readAssignment', {
    parameters: { assignmentId: dispatched.body.assignment_id },
  });
  const turn = why.body.trace.find(({ step }) => step === 'distribution');
  expect(turn.chosen === dispatched.body.user, 'the assignment says why');
}

const service = await startDemoService();
const browser = await chromium.launch({ executablePath, args: FLAGS });
let failed = 0;
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(30_000);
  const troubles = troublesOf(page, service.url);
  await visit(page, service);
  if (troubles.length > 0) throw new Error(`The page has troubles:\n${troubles.join('\n')}`);
  console.log('ok      the page has no error, and asks nobody else for anything');
} catch (error) {
  failed = 1;
  console.log(`FAILED  ${error.message}`);
} finally {
  await browser.close();
  await service.stop();
}
process.exit(failed);
