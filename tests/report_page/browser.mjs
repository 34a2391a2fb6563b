// What the tests of the page in a browser share: how it is opened, and what must never happen in it: a
// message on the console, an error, a dialog, a request to any address.
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

export async function with_browser(work) {
  const told = JSON.parse(readFileSync(process.argv[2], 'utf8'));
  const {chromium} = await import(told.driver);
  const home = mkdtempSync(join(told.work, 'profile-'));
  const context = await chromium.launchPersistentContext(home, {executablePath: told.chromium, args: FLAGS, viewport: {width: 1280, height: 900}});
  let failed = 0;
  let passed = 0;
  const test = async (name, action) => {
    try {
      await action();
      ++passed;
    } catch (error) {
      ++failed;
      console.log(`FAILED ${name}: ${error.stack ?? error}`);
    }
  };
  try {
    await work(told, test, context);
  } finally {
    await context.close();
    rmSync(home, {recursive: true, force: true});
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
}

// Opens a page; `wrong` collects what must not happen.
export async function open(context, path, hash = '') {
  const page = await context.newPage();
  const wrong = [];
  page.on('console', (message) => wrong.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => wrong.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith('data:') && request.url().split('#')[0] !== address(path)) {
      wrong.push(`request: ${request.url()}`);
    }
  });
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', {timeDomain: 'threadTicks'});
  // Milliseconds of the processor that its main thread has used.
  const busy = async () => (await session.send('Performance.getMetrics')).metrics.find(({name}) => name === 'TaskDuration').value * 1000;
  const began = Date.now();
  await page.goto(address(path) + hash);
  await page.waitForFunction(() => document.body.dataset.ready === 'true' || !document.getElementById('message').hidden, null, {timeout: 60000});
  return {page, wrong, took: Date.now() - began, busy};
}

function address(path) {
  return `file://${path.split('/').map(encodeURIComponent).join('/')}`;
}
