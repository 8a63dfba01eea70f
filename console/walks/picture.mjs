// Makes docs/console.png, the picture of the README: an assignment of the demo account, as it is explained.
import { fileURLToPath } from 'node:url';
import { enter, launch, newPage } from './browser.mjs';
import { startService } from './service.mjs';

const PICTURE = fileURLToPath(new URL('../../docs/console.png', import.meta.url));

const service = await startService();
const browser = await launch();
const page = await newPage(browser, service.base, { viewport: { width: 1280, height: 860 } });
await enter(page, service.first);
await page.goto(`${service.base}assignments?reason=percentage`);
await page.locator('main a[href*="/assignments/"]').first().click();
await page.getByRole('heading', { name: 'Whose turn it is' }).waitFor();
await page.waitForLoadState('networkidle');
await page.screenshot({ path: PICTURE });
await browser.close();
await service.close();
process.exit(0);
