// Names and texts that would be markup or script anywhere else: nothing executes, nothing is asked for, and
// they are shown as they are.
import assert from 'node:assert/strict';
import {open, with_browser} from './browser.mjs';

await with_browser(async ({pages}, test, context) => {
  for (const one of pages) {
    await test(one.name, async () => {
      const {page, wrong} = await open(context, one.page);
      assert.equal(await page.evaluate(() => document.body.dataset.ready), 'true', await page.locator('#message').textContent());
      for (const view of ['findings', 'time', 'rpc', 'operations', 'coverage']) {
        await page.evaluate((name) => { location.hash = `view=${name}`; }, view);
      }
      await page.evaluate(() => document.querySelectorAll('details').forEach((details) => { details.open = true; }));
      for (const link of await page.evaluate(() => [...new Set([...document.querySelectorAll('a')].map((a) => a.getAttribute('href')))].slice(0, 30))) {
        assert.ok(link === null || link.startsWith('#'), `an address: ${link}`);
        await page.evaluate((hash) => { location.hash = hash; }, link);
      }
      await page.mouse.move(600, 400);
      await page.waitForTimeout(300);
      const found = await page.evaluate(() => ({
        foreign: document.querySelectorAll('img, iframe, object, embed, b').length,
        scripts: document.querySelectorAll('script').length,
        handlers: [...document.querySelectorAll('*')].filter((element) => [...element.attributes].some(({name}) => name.startsWith('on'))).length,
        text: document.body.textContent,
      }));
      assert.deepEqual([found.foreign, found.scripts, found.handlers], [0, 2, 0]);
      if (one.shown) {
        assert.ok(found.text.includes(one.shown), 'the name is shown');
      }
      assert.deepEqual(wrong, []);
      await page.close();
    });
  }
});
