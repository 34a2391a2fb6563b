// What readers of a report set out to do, and how far they get: who waits, and for what; the worst of many connections;
// one RPC of many; back to where they were.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {open, with_browser} from './browser.mjs';

// What a strip of the timeline says under the pointer, wherever it says something.
async function tips(page, strip) {
  await strip.scrollIntoViewIfNeeded();
  const box = await strip.boundingBox();
  const found = new Set();
  for (let y = 24; y < box.height; y += 9) {
    for (let x = 6; x < box.width; x += box.width / 12) {
      await page.mouse.move(box.x + x, box.y + y);
      const text = await page.evaluate(() => { const tip = document.querySelector('.tip'); return tip.hidden ? '' : tip.textContent; });
      text && found.add(text);
    }
  }
  return [...found];
}

async function who_waits({hung, loss}, test, context) {
  await test('a Call without a Reply is a bar up to the end, and says that it waits', async () => {
    const {page, wrong} = await open(context, hung.page, '#view=time&t=22-30');
    assert.match(await page.locator('#time .status').first().textContent(), /^2 RPCs in view; 2 of them sent before, 2 unanswered/);
    const said = await tips(page, page.locator('#time .u-over').first());
    assert.ok(said.some((text) => /^NFSv3 WRITE.*no Reply, for 35\.0 s and more/.test(text)), said.join('\n'));
    assert.match(await page.locator('#summary').textContent(), /unanswered3the longest waited 35\.0 s/);
    assert.ok(said.some((text) => /^NFSv3 GETATTR.*no Reply, for 15\.0 s and more/.test(text)), said.join('\n'));
    assert.match(await page.locator('#time .legend').textContent(), /waiting: no Reply arrived/);
    assert.deepEqual(wrong, []);
    await page.close();
  });
  await test('within a stall it is seen which RPC waits, and that it waits for what was lost', async () => {
    const slowest = loss.rpcs.filter((rpc) => rpc.recovery_us > 0).sort((a, b) => b.recovery_us - a.recovery_us)[0];
    const {page, wrong} = await open(context, loss.page, `#rpc=${slowest.conn}:${slowest.xid}@${slowest.call_frame}`);
    const times = await page.evaluate(() => [...document.querySelectorAll('#rpc svg .phase-name')].map(({textContent}) => textContent).filter((text) => text.startsWith('+ ')));
    assert.ok(times.length >= 2 && times[0] === '+ 0 µs', `${times}: each arrow has its time`);
    assert.match(await page.locator('#rpc .scale').textContent(), /not to scale/);
    const began = await page.evaluate(() => Number(document.querySelector('#rpc .figures').textContent.match(/sent at([\d.]+) s/)[1]));
    const middle = [0.4, 0.6].map((share) => (began + (share * slowest.delivered_us) / 1e6).toFixed(6));
    await page.evaluate((hash) => { location.hash = hash; }, `view=time&t=${middle.join('-')}`);
    await page.waitForFunction(() => /^1 RPC in view/.test(document.querySelector('#time .status').textContent));
    const said = await tips(page, page.locator('#time .u-over').first());
    assert.ok(said.some((text) => text.includes(slowest.xid) && text.includes('went by on loss')), said.join('\n'));
    assert.deepEqual(wrong, []);
    await page.close();
  });
}

async function many_connections({many}, test, context) {
  const {page, wrong} = await open(context, many.page);
  await page.setViewportSize({width: 1280, height: 800});
  await test('120 connections with 40 violations are on three screens', async () => {
    const bottom = await page.evaluate(() => document.getElementById('connections').getBoundingClientRect().bottom + scrollY);
    assert.ok(bottom <= 3 * 800, `${bottom} pixels`);
    assert.equal(await page.locator('article.rule').count(), 1, 'one card');
    const card = await page.locator('article.rule').textContent();
    assert.match(card, /40 findings, on 40 of 120 connections/);
    assert.equal(await page.locator('article.rule details[open] > pre').count(), 1, 'one header is open');
  });
  await test('connections are sorted by any column, and lead to their lanes', async () => {
    const cells = (nth) => page.evaluate((n) => [...document.querySelectorAll('#connections tbody tr')].map((row) => row.cells[n].textContent), nth);
    assert.equal(new Set(await cells(3)).size, 1, 'those with errors come first');
    await page.locator('#connections th button', {hasText: 'connection'}).click();
    await page.locator('#connections th button', {hasText: 'connection'}).click();
    assert.deepEqual((await cells(0)).slice(0, 3), ['120', '119', '118']);
    await page.locator('#connections tbody a').nth(1).click();
    await page.waitForFunction(() => /^Connection 119: 10\.7\.1\.19 /.test(document.activeElement.textContent));
    assert.equal(await page.evaluate(() => location.hash), '#view=time&conn=119');
  });
  await test('a finding that is folded away is shown by its link', async () => {
    const last = await page.evaluate(() => [...document.querySelectorAll('.finding .self')].at(-1).getAttribute('href'));
    await page.evaluate((hash) => { location.hash = hash; }, last);
    await page.waitForFunction(() => document.querySelector('.finding.here')?.checkVisibility());
  });
  await test('many connections: no message, error or request', async () => assert.deepEqual(wrong, []));
  await page.close();
}

async function where_it_was_lost({loss, hung}, test, context) {
  const {page, wrong} = await open(context, loss.page, '#view=time');
  const charts = page.locator('#time .sequences .chart');
  const labels = await charts.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
  const count = (word) => labels.reduce((sum, label) => sum + Number((label.match(new RegExp(`([\\d,]+) ${word}`))?.[1] ?? '0').replace(/,/g, '')), 0);
  await test('each loss is in the chart of sequence numbers, and everything that was sent again', async () => {
    assert.ok(await page.locator('#time .sequences').evaluate((one) => one.open), 'it is open where something was lost');
    assert.equal(labels.length, 2, 'one of each end');
    const losses = loss.losses.filter((one) => one.packets > 0 && one.where !== 'receiver');
    assert.ok(losses.length > 0);
    assert.equal(count('loss(?:es)?\\b') + count('acknowledgments? lost'), losses.length, labels.join('\n'));
    assert.equal(count('packets? sent again') + count('packets? seen late'), loss.loads.reduce((sum, {retransmitted}) => sum + retransmitted, 0), labels.join('\n'));
  });
  await test('the table has the losses as the command prints them', async () => {
    assert.match(await page.locator('#time .sequences > summary').textContent(), new RegExp(`: ${loss.losses.length} losses$`));
    const table = page.locator('#time .losses table');
    assert.equal(await table.getAttribute('aria-rowcount'), String(loss.losses.length + 1));
    const numbers = await table.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.cells[2].textContent));
    assert.deepEqual(numbers, loss.losses.slice(0, numbers.length).map(({first}) => String(first)));
  });
  await test('a loss says under the pointer which packet it was, and is shown closer by the zoom of the timeline', async () => {
    const said = await tips(page, charts.first().locator('.u-over'));
    assert.ok(said.some((text) => /PSN \d+/.test(text)), said.join('\n'));
    const one = loss.losses.find(({packets, where}) => packets > 0 && where !== 'receiver');
    const row = page.locator('#time .losses tbody tr', {hasText: String(one.first)}).first();
    const at = Number(await row.locator('th data').textContent());
    await page.evaluate((hash) => { location.hash = hash; }, `view=time&t=${Math.max(at - 0.001, 0).toFixed(6)}-${(at + 0.001).toFixed(6)}`);
    await page.waitForTimeout(600);
    const closer = [...await tips(page, charts.nth(0).locator('.u-over')), ...await tips(page, charts.nth(1).locator('.u-over'))];
    assert.ok(closer.some((text) => text.startsWith('lost') && text.includes(`PSN ${one.first}`)), `${one.first}: ${closer.join('\n')}`);
  });
  await test('where it was lost: no message, error or request', async () => assert.deepEqual(wrong, []));
  await page.close();
  await test('where nothing was lost the chart is there, closed', async () => {
    const healthy = await open(context, hung.page, '#view=time');
    const section = healthy.page.locator('#time .sequences').first();
    assert.equal(await section.evaluate((one) => one.open), false);
    assert.match(await section.locator('summary').textContent(), /nothing was lost or sent again/);
    await section.locator('summary').click();
    await section.locator('.u-over').first().waitFor();
    assert.deepEqual(healthy.wrong, []);
    await healthy.page.close();
  });
}

async function one_of_many({loss}, test, context) {
  const {page, wrong} = await open(context, loss.page);
  const shown = () => page.evaluate(() => [...document.querySelectorAll('#rpcs tbody tr')].map((row) => Object.fromEntries([...row.cells].map((cell, i) => [document.querySelectorAll('#rpcs thead th')[i].textContent, cell.textContent]))));
  const wanted = (count) => page.waitForFunction((text) => document.querySelector('#rpcs .status').textContent.startsWith(text), `${count} RPC`);
  const took = (rpc) => rpc.total_us ?? rpc.delivered_us ?? rpc.latency_us ?? rpc.unanswered_us ?? 0;
  await test('RPCs are found by words', async () => {
    const rpc = loss.rpcs[5];
    await page.getByLabel('Only RPCs with these words').fill(`${rpc.xid} ${rpc.op.toLowerCase()}`);
    await wanted(1);
    assert.deepEqual((await shown()).map((row) => row.XID), [rpc.xid]);
    await page.getByLabel('Only RPCs with these words').fill('');
  });
  await test('RPCs are found by how long they took', async () => {
    const slow = loss.rpcs.filter((rpc) => took(rpc) >= 2000);
    assert.ok(slow.length > 0 && slow.length < loss.rpcs.length);
    await page.getByLabel('Only RPCs that took at least').fill('2 ms');
    await wanted(slow.length);
    await page.getByLabel('Only RPCs that took at least').fill('2 parsecs');
    await page.waitForFunction(() => document.querySelector('#rpcs .status').textContent.includes('a time is like 10 ms'));
    await page.getByLabel('Only RPCs that took at least').fill('2 ms');
    await wanted(slow.length);
  });
  await test('the address has the filter, and leads to it', async () => {
    const address = await page.evaluate(() => location.hash);
    assert.equal(address, '#view=operations&least=2%20ms');
    const again = await open(context, loss.page, `${address}&q=read`);
    assert.equal(await again.page.getByLabel('Only RPCs with these words').inputValue(), 'read');
    const rows = await again.page.evaluate(() => [...document.querySelectorAll('#rpcs tbody th')].map(({textContent}) => textContent));
    assert.ok(rows.length > 0 && rows.every((name) => /READ/.test(name)), rows.join());
    assert.deepEqual(again.wrong, []);
    await again.page.close();
  });
  await test('the address has everything that the table goes by, the window too', async () => {
    await page.getByLabel('State', {exact: true}).selectOption('lost');
    await page.evaluate(() => { location.hash = 'view=time&t=0-30'; });
    await page.waitForTimeout(300);
    await page.getByLabel('Operation', {exact: true}).selectOption(loss.rpcs[5].name.split(' ')[0] + ' ' + loss.rpcs[5].op);
    const status = await page.locator('#rpcs .status').first().textContent();
    const address = await page.evaluate(() => location.hash);
    assert.match(address, /^#view=operations&t=0-[\d.]+&least=2%20ms&op=NFSv\S+&state=lost$/);
    const again = await open(context, loss.page, address);
    await again.page.waitForFunction((text) => document.querySelector('#rpcs .status').textContent === text, status);
    assert.deepEqual(again.wrong, []);
    await again.page.close();
    await page.getByLabel('State', {exact: true}).selectOption('');
    await page.getByLabel('Operation', {exact: true}).selectOption('');
    await page.evaluate(() => { location.hash = 'view=time'; });
    await page.locator('#time button', {hasText: 'Whole capture'}).click();
    await page.waitForFunction(() => !document.querySelector('#rpcs .status').textContent.includes('in view'));
  });
  await test('a link to what is not there says so', async () => {
    for (const [hash, words] of [['view=time&conn=99', 'no connection 99'], ['view=rpc&t=0-1&conn=99', 'no connection 99'], ['view=time&t=5-3', 'no stretch of time: 5-3'], ['view=time&t=90000-90001', 'the capture ends at']]) {
      await page.evaluate((to) => { location.hash = to; }, hash);
      await page.waitForFunction((text) => { const message = document.getElementById('message'); return !message.hidden && message.textContent.includes(text); }, words);
    }
    await page.evaluate(() => { location.hash = 'view=operations'; });
    await page.waitForFunction(() => document.getElementById('message').hidden);
  });
  await test('CSV has the rows that match, with the clock of the tap', async () => {
    const [saved] = await Promise.all([page.waitForEvent('download'), page.locator('#rpcs button', {hasText: 'CSV'}).click()]);
    const lines = readFileSync(await saved.path(), 'utf8').trimEnd().split('\r\n').map((line) => line.split(','));
    const slow = loss.rpcs.filter((rpc) => took(rpc) >= 2000);
    assert.equal(lines.length, 1 + slow.length);
    const column = (name) => lines.slice(1).map((line) => line[lines[0].indexOf(name)]);
    assert.deepEqual(column('XID').sort(), slow.map(({xid}) => xid).sort());
    const times = slow.map((rpc) => `${new Date(Math.floor(Number(rpc.call_time)) * 1000).toISOString().slice(0, 19)}.${rpc.call_time.split('.')[1].slice(0, 6)}Z`);
    assert.deepEqual(column('clock').sort(), times.sort());
  });
  await test('a column is there only where a record says something', async () => {
    const heads = await page.evaluate(() => [...document.querySelectorAll('#rpcs thead th')].map(({textContent}) => textContent));
    assert.ok(heads.includes('clock (UTC)') && heads.includes('on loss'), heads.join());
    assert.deepEqual(heads.filter((name) => ['file', 'offset', 'user'].includes(name)), ['file', 'offset', 'user'].filter((name) => loss.rpcs.some((rpc) => rpc[name] !== undefined)));
  });
  await test('the link to what is shown can be copied', async () => {
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', {value: {writeText: async (text) => { window.carried = text; }}});
      location.hash = 'view=operations';
    });
    await page.locator('#copy').click();
    await page.waitForFunction(() => window.carried?.endsWith('.html#view=operations') && document.getElementById('message').textContent.includes('Copied'));
  });
  await test('one of many: no message, error or request', async () => assert.deepEqual(wrong.filter((text) => !text.startsWith('request: blob:')), []));
  await page.close();
}

async function the_way_back({loss}, test, context) {
  const {page, wrong} = await open(context, loss.page);
  const status = () => page.locator('#time .status').first().textContent();
  const whole = await status();
  await test('Back undoes a zoom, Forward does it again', async () => {
    await page.locator('#time .u-over').first().scrollIntoViewIfNeeded();
    const seen = [whole];
    for (let i = 0; i < 2; ++i) {
      const box = await page.locator('#time .u-over').first().boundingBox();
      await page.mouse.move(box.x + box.width * 0.02, box.y + 20);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.6, box.y + 20, {steps: 4});
      await page.mouse.up();
      await page.waitForTimeout(600);
      seen.push(await page.evaluate(() => location.hash + document.querySelector('#time .status').textContent));
    }
    assert.equal(new Set(seen).size, 3, seen.join('\n'));
    await page.goBack();
    await page.waitForFunction((told) => location.hash + document.querySelector('#time .status').textContent === told, seen[1]);
    await page.goBack();
    await page.waitForFunction((told) => document.querySelector('#time .status').textContent === told, whole);
    await page.goForward();
    await page.waitForFunction((told) => location.hash + document.querySelector('#time .status').textContent === told, seen[1]);
  });
  await test('the wheel with Control zooms around the pointer, and is one step back', async () => {
    const before = await page.evaluate(() => location.hash);
    const [from, to] = before.match(/t=([\d.]+)-([\d.]+)/).slice(1).map(Number);
    const box = await page.locator('#time .u-over').first().boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + 20);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -100);
    await page.mouse.wheel(0, -100);
    await page.keyboard.up('Control');
    await page.waitForFunction((hash) => location.hash !== hash, before);
    await page.waitForTimeout(600);
    const [begin, end] = (await page.evaluate(() => location.hash)).match(/t=([\d.]+)-([\d.]+)/).slice(1).map(Number);
    assert.ok(end - begin < 0.8 * (to - from) && Math.abs((begin + end) / 2 - (from + to) / 2) < 0.02 * (to - from), `${before} ${begin} ${end}`);
    await page.goBack();
    await page.waitForFunction((hash) => location.hash === hash, before);
  });
  await test('Back from an RPC leads to the zoom that it was found in', async () => {
    const before = await status();
    const rpc = loss.rpcs[3];
    await page.evaluate((hash) => { location.hash = hash; }, `rpc=${rpc.conn}:${rpc.xid}@${rpc.call_frame}`);
    await page.waitForFunction((xid) => document.querySelector('#rpc .figures').textContent.includes(xid), rpc.xid);
    await page.evaluate(() => document.querySelector('.lane').dispatchEvent(new KeyboardEvent('keydown', {key: 'Home', bubbles: true})));
    assert.equal(await status(), whole);
    await page.goBack();
    await page.waitForFunction((told) => document.querySelector('#time .status').textContent === told, before);
    assert.match(await page.evaluate(() => location.hash), /^#rpc=/);
  });
  await test('a link that leads nowhere says so', async () => {
    for (const [hash, words] of [['rpc=1:0xdead', 'leads nowhere'], ['rpc=1:0xdeadbeef', 'has no RPC 0xdeadbeef'], ['finding=MEM-09:999999', 'no finding'], ['view=nothing', 'leads nowhere']]) {
      await page.evaluate((to) => { location.hash = to; }, hash);
      await page.waitForFunction((told) => !document.getElementById('message').hidden && document.getElementById('message').textContent.includes(told), words);
    }
    await page.evaluate(() => { location.hash = 'view=summary'; });
    await page.waitForFunction(() => document.getElementById('message').hidden);
    const fresh = await open(context, loss.page, '#rpc=1:0xdead');
    assert.match(await fresh.page.locator('#message').textContent(), /leads nowhere/);
    await fresh.page.close();
  });
  await test('the way back: no message, error or request', async () => assert.deepEqual(wrong, []));
  await page.close();
}

await with_browser(async ({pages}, test, context) => {
  const named = Object.fromEntries(pages.map((one) => [one.name, one]));
  for (const task of [who_waits, where_it_was_lost, many_connections, one_of_many, the_way_back]) {
    await task(named, test, context);
  }
});
