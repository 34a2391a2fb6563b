// Who sees little, sees no colours, or hears the page: axe-core has nothing to say, at two widths, light and dark, closed
// and opened; and no text of it is cut off or lies over another.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {open, with_browser} from './browser.mjs';

await with_browser(async ({pages, axe}, test, context) => {
  const source = readFileSync(axe, 'utf8');
  for (const one of pages) {
    const {page, wrong} = await open(context, one.page);
    await page.evaluate(source);
    for (const [width, scheme] of [[1280, 'light'], [400, 'dark'], [1280, 'dark'], [400, 'light']]) {
      await test(`${one.name}: axe-core, ${width} pixels, ${scheme}`, async () => {
        await page.setViewportSize({width, height: 800});
        await page.emulateMedia({colorScheme: scheme});
        await page.evaluate((open_all) => document.querySelectorAll('details').forEach((details) => { details.open = open_all; }), width === 400);
        await page.waitForTimeout(300);
        const found = await page.evaluate(async () => (await globalThis.axe.run(document, {resultTypes: ['violations']})).violations
          .flatMap(({id, nodes}) => nodes.slice(0, 3).map(({html, failureSummary}) => `${id}: ${html.slice(0, 160)} ${failureSummary.replace(/\s+/g, ' ').slice(0, 300)}`)));
        assert.deepEqual(found, []);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      });
    }
    await test(`${one.name}: nothing is wider than a window of 320 pixels`, async () => {
      await page.setViewportSize({width: 320, height: 800});
      await page.waitForTimeout(300);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    });
    await test(`${one.name}: no message, error or request`, async () => assert.deepEqual(wrong, []));
    await page.close();
  }
});
