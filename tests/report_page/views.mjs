// Each view of a few captures is opened, brushed, sorted and linked, at two widths, light and dark; numbers
// are those of audit, flows and stats.
import assert from 'node:assert/strict';
import {open, with_browser} from './browser.mjs';

// The table whose caption begins so, as rows of {heading: value}: numbers are those of <data>, else the text.
async function table(page, caption) {
  return page.evaluate((wanted) => {
    const found = [...document.querySelectorAll('table')].find((one) => one.caption?.textContent.startsWith(wanted));
    const heads = [...found.tHead.rows[0].cells].map((cell) => cell.textContent);
    return [...found.tBodies[0].rows].map((row) => Object.fromEntries([...row.cells].map((cell, i) => {
      const data = cell.querySelector('data');
      return [heads[i], data ? Number(data.getAttribute('value')) : cell.textContent];
    })));
  }, caption);
}

// A message with the unit spelled as the page does.
function spelled(text) {
  return text.replace(/(\d) us\b/g, '$1 µs');
}

async function all_rows(page, caption, scope) {
  const rows = [];
  for (;;) {
    rows.push(...await table(page, caption));
    const next = page.locator(`${scope} .pager button`, {hasText: 'Next'}).first();
    if (!await next.isVisible() || await next.isDisabled()) {
      return rows;
    }
    await next.click();
  }
}

// A page that holds only some of the RPCs says so, keeps the worst, and counts all.
async function thinned(one, test, context) {
  const {page, wrong} = await open(context, one.page);
  await test('what is left out is said, and the worst is kept', async () => {
    const said = await page.locator('.caution').textContent();
    assert.ok(said.includes(`This page holds ${one.report.rpcs_shown} of ${one.report.rpcs} RPCs`), said);
    assert.ok(one.report.rpcs_shown < one.report.rpcs);
    const rows = await table(page, 'RPCs');
    const slowest = one.rpcs.filter((rpc) => rpc.delivered_us !== undefined).sort((a, b) => b.delivered_us - a.delivered_us)[0];
    assert.equal(rows[0].XID, slowest.xid);
    const counted = await table(page, 'Operations');
    assert.equal(counted.reduce((sum, row) => sum + row.count, 0), one.report.rpcs);
    assert.ok((await page.locator('#time figcaption', {hasText: 'Calls outstanding on average'}).count()) > 0);
  });
  await test('nor message, error or request there', async () => assert.deepEqual(wrong, []));
  await page.close();
}

// Two captures beside each other: the numbers of each are those of the commands.
async function against(one, test, context) {
  const {page, wrong} = await open(context, one.page, '#view=against');
  const places = ['here', 'there'];
  await test('against: totals and operations are those of stats, of both captures', async () => {
    const rows = await table(page, 'All RPCs and connections');
    const [rpcs] = rows.filter(({what}) => what === 'RPCs');
    assert.deepEqual(places.map((place) => rpcs[place]), one.sides.map((side) => side.rpcs));
    const operations = await table(page, 'Operations of both');
    assert.equal(operations.length, one.sides.reduce((sum, {stats}) => sum + stats.length, 0));
    one.sides.forEach(({stats}, i) => stats.forEach((stat) => {
      const row = operations.find(({operation, where}) => where === places[i] && operation === `${stat.protocol} ${stat.op}`);
      assert.deepEqual([row.count, row.failed, row.unanswered, row.median, row.p99, row.longest],
        [stat.count, stat.failed, stat.unanswered, stat.delivered_us.p50, stat.delivered_us.p99, stat.delivered_us.max]);
    }));
  });
  await test('against: rules are those of both tallies', async () => {
    const rows = await table(page, 'Rules that either breaks');
    const broken = (rule, i) => one.sides[i].tallies.find((tally) => tally.rule === rule).broken;
    assert.ok(rows.length > 1);
    rows.forEach((row) => places.forEach((place, i) => assert.equal(row[place] === '–' ? 0 : row[place], broken(row.rule, i), row.rule)));
    one.sides.forEach(({tallies}) => tallies.filter((tally) => tally.broken > 0).forEach(({rule}) => assert.ok(rows.some((row) => row.rule === rule), rule)));
  });
  await test('against: the rest of the page is of the one here, and the other has no links', async () => {
    assert.equal(await page.locator('#against .answer').count(), 2);
    assert.equal(await page.locator('#against .answer').nth(1).locator('a').count(), 0);
    assert.ok(await page.locator('#against .answer').nth(0).locator('a').count() > 0);
    assert.ok(await page.locator('#against').evaluate((section) => section.getBoundingClientRect().top) < 200, 'its link leads to it');
    const figures = await page.locator('#summary .figures data').first().getAttribute('value');
    assert.equal(Number(figures), one.sides[0].rpcs);
  });
  await test('against: nor message, error or request there', async () => assert.deepEqual(wrong, []));
  await page.close();
}

// Whoever is given the report alone can say what went wrong, and where.
async function tells(one, page, test) {
  await test(`${one.name}: who has only the first screen knows what went wrong, and where`, async () => {
    const said = await page.locator('#summary').textContent();
    one.words.forEach((words) => assert.ok(said.includes(words), `${words}: ${said}`));
    assert.ok(await page.evaluate(() => document.querySelector('.standouts').getBoundingClientRect().top) < 900, 'it is on the first screen');
  });
}

await with_browser(async ({pages, few, against: both}, test, context) => {
  await thinned(few, test, context);
  await against(both, test, context);
  for (const one of pages) {
    const {page, wrong} = await open(context, one.page);
    await tells(one, page, test);
    if (one.brief) {
      await test(`${one.name}: no message, error or request`, async () => assert.deepEqual(wrong, []));
      await page.close();
      continue;
    }
    const stats = one.stats.filter(({type}) => type === 'stat');

    await test(`${one.name}: there is no other capture`, async () => assert.equal(await page.locator('#against, nav a[href="#view=against"]').count(), 0));

    await test(`${one.name}: operations are those of stats`, async () => {
      const rows = await all_rows(page, 'Operations', '#operations .table:first-child');
      assert.equal(rows.length, stats.length);
      for (const stat of stats) {
        const row = rows.find(({operation}) => operation === [stat.protocol, stat.op].filter(Boolean).join(' '));
        assert.ok(row, `no row for ${stat.op}`);
        const times = stat.delivered_us ?? {};
        assert.deepEqual([row.count, row.failed, row.unanswered, row.retries, row.arguments, row.results],
          [stat.count, stat.failed, stat.unanswered, stat.retries, stat.args_bytes, stat.results_bytes]);
        if (times.mean !== undefined) {
          assert.deepEqual([row.mean, row.median, row.p99, row.longest], [times.mean, times.p50, times.p99, times.max]);
        }
      }
    });

    await test(`${one.name}: RPCs are those of flows`, async () => {
      const rows = await all_rows(page, 'RPCs', '#rpcs');
      assert.equal(rows.length, one.rpcs.length);
      const shown = rows.map((row) => `${row.XID} ${row.frames} ${row.took}`).sort();
      const took = (rpc) => rpc.total_us ?? rpc.delivered_us ?? rpc.latency_us ?? '–';
      const accepted = (rpc) => [rpc.call_accepted_frame, rpc.reply_accepted_frame].filter((frame) => frame !== undefined).map((frame, i) => `${i === 0 ? ', accepted ' : ' and '}${frame}`).join('');
      const told = one.rpcs.map((rpc) => `${rpc.xid} ${[rpc.call_frame, rpc.reply_frame].filter((frame) => frame !== undefined).join('–')}${accepted(rpc)} ${took(rpc)}`).sort();
      assert.deepEqual(shown, told);
      const order = rows.map(({took: us}) => us).filter((us) => typeof us === 'number');
      assert.deepEqual(order, [...order].sort((a, b) => b - a), 'the slowest first');
    });

    await test(`${one.name}: findings are those of audit`, async () => {
      const shown = await page.evaluate(() => [...document.querySelectorAll('.rule')].flatMap((rule) =>
        [...rule.querySelectorAll('.finding')].map((item) => `${rule.id.slice(5)} ${item.querySelector('p').textContent}`)));
      const told = one.findings.map((finding) => `${finding.rule} Frame ${finding.frame}: ${spelled(finding.message)}`);
      assert.deepEqual(shown.sort(), told.sort());
      const word = await page.locator('.health .word').textContent();
      assert.ok(word.startsWith(one.summary.findings.error > 0 ? 'Not conforming' : one.summary.findings.warning > 0 ? 'Mostly conforming' : 'Conforming'), word);
    });


    await test(`${one.name}: rules are those of the tally`, async () => {
      const rows = await all_rows(page, 'Rules that were judged', '#coverage');
      const judged = one.tallies.filter(({checked}) => checked > 0);
      assert.deepEqual(rows.map((row) => [row.rule, row.checked, row.kept, row['not kept'], row.undecided]).sort(),
        judged.map((tally) => [tally.rule, tally.checked, tally.kept, tally.broken, tally.undecided]).sort());
      const result = (tally) => (tally.broken > 0 ? 'found' : tally.kept > 0 ? 'kept' : 'undecided');
      const shown = Object.fromEntries(rows.map((row) => [row.rule, /^(kept|undecided)$/.test(row.result) ? row.result : 'found']));
      judged.forEach((tally) => assert.equal(shown[tally.rule], result(tally), tally.rule));
      for (const found of one.findings) {
        const worst = ['error', 'warning', 'note'].find((severity) => one.findings.some(({rule, severity: weighs}) => rule === found.rule && weighs === severity));
        assert.equal(rows.find(({rule}) => rule === found.rule).result.toLowerCase(), worst);
      }
      assert.equal(await page.locator('.never li').count(), one.tallies.length - judged.length);
    });

    await test(`${one.name}: figures of the summary`, async () => {
      const figures = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll('#summary .figures div')].map((div) =>
        [div.querySelector('dt').textContent, Number(div.querySelector('data').getAttribute('value'))])));
      const sum = (type, key) => one.stats.filter((record) => record.type === type).reduce((total, record) => total + (record[key] ?? 0), 0);
      assert.equal(figures.RPCs, one.summary.rpcs);
      assert.equal(figures.failed, sum('stat', 'failed'));
      assert.equal(figures['sent again'], sum('load', 'retransmitted'));
      assert.equal(figures['at the credit limit'], sum('load', 'at_credit_limit_us'));
      const notes = one.stats.filter(({type}) => type === 'note');
      const said = await page.locator('.standouts').first().textContent();
      notes.slice(0, 3).forEach((note) => assert.ok(said.includes(spelled(note.message)), note.message));
    });

    await test(`${one.name}: every RPC has its ladder under its link`, async () => {
      for (const rpc of one.rpcs.slice(0, 12)) {
        await page.evaluate((hash) => { location.hash = hash; }, `rpc=${rpc.conn}:${rpc.xid}@${rpc.call_frame ?? rpc.reply_frame}`);
        await page.waitForFunction((xid) => document.querySelector('#rpc .figures').textContent.includes(xid), rpc.xid);
        const steps = await page.locator('#rpc .step').count();
        const moved = [...rpc.reads, ...rpc.writes.flat(), ...(rpc.reply_chunk ?? [])].filter((segment) => segment.ops > 0);
        assert.ok(steps >= 1 + (rpc.reply_frame ? 1 : 0) + Math.min(moved.length, 24), `${rpc.xid}: ${steps} steps`);
        const frames = await page.locator('#rpc .steps').textContent();
        assert.ok(frames.includes(String(rpc.call_frame ?? rpc.reply_frame)));
      }
    });

    await test(`${one.name}: the ladder of a window has all RPCs in it`, async () => {
      const called = one.rpcs.filter((rpc) => rpc.call_time !== undefined && rpc.conn === 1);
      const origin = Math.min(...one.report.map(({begin}) => Number(begin)));
      const [from, to] = [0, Math.max(...called.slice(0, 6).map((rpc) => Number(rpc.call_time) - origin)) + 0.0001];
      await page.evaluate((hash) => { location.hash = hash; }, `view=rpc&t=${from}-${to.toFixed(6)}&conn=1`);
      await page.waitForFunction(() => /RPCs? under way/.test(document.querySelector('#rpc').textContent));
      const text = await page.locator('#rpc .small').first().textContent();
      const began = one.rpcs.filter((rpc) => rpc.conn === 1 && Number(rpc.call_time ?? rpc.reply_time) - origin <= to);
      assert.equal(Number(text.match(/^\d+/)[0]), began.length, text);
      const frames = await page.locator('#rpc .steps').textContent();
      called.slice(0, 3).forEach((rpc) => assert.ok(frames.includes(String(rpc.call_frame)), `frame ${rpc.call_frame}`));
      await page.locator('#rpc .steps a', {hasText: called[0].xid}).first().click();
      await page.waitForFunction((xid) => document.querySelector('#rpc .figures')?.textContent.includes(xid), called[0].xid);
    });

    await test(`${one.name}: a step opens by the keyboard`, async () => {
      await page.locator('#rpc .step').first().focus();
      await page.keyboard.press('Enter');
      assert.ok(await page.locator('#rpc .steps details[open]').count() > 0 || one.rpcs.length === 0);
    });

    await test(`${one.name}: the brush zooms, the address follows, and leads back`, async () => {
      await page.evaluate(() => document.querySelector('#time .u-over').scrollIntoView({block: 'center'}));
      const before = await page.locator('#time .status').first().textContent();
      const box = await page.locator('#time .u-over').first().boundingBox();
      await page.mouse.move(box.x + box.width * 0.005, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.5, box.y + box.height / 2, {steps: 4});
      await page.mouse.up();
      await page.waitForFunction(() => /^#view=time&t=/.test(location.hash));
      const zoomed = await page.evaluate(() => location.hash);
      const [from, to] = zoomed.match(/t=([\d.]+)-([\d.]+)/).slice(1).map(Number);
      assert.ok(to > from);
      const origin = Math.min(...one.rpcs.map((rpc) => Number(rpc.call_time ?? rpc.reply_time)));
      const text = await page.locator('#time .status').first().textContent();
      assert.match(text, /^[\d,]+ RPCs? in view/);
      assert.ok(Number(text.match(/^[\d,]+/)[0].replace(',', '')) <= Number(before.match(/^[\d,]+/)[0].replace(',', '')), `${before} ${text} ${origin}`);
      const again = await open(context, one.page, zoomed);
      assert.equal(await again.page.locator('#time .status').first().textContent(), text, 'the link shows the same');
      assert.deepEqual(again.wrong, []);
      await again.page.close();
      await page.locator('#time .lane').first().focus();
      await page.keyboard.press('Home');
      assert.equal(await page.locator('#time .status').first().textContent(), before);
      await page.keyboard.press('+');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('-');
      await page.keyboard.press('Home');
      assert.equal(await page.locator('#time .status').first().textContent(), before);
    });

    await test(`${one.name}: a dot leads to its ladder`, async () => {
      await page.evaluate(() => { location.hash = 'view=time'; });
      await page.waitForTimeout(700);
      const box = await page.locator('#time .u-over').first().boundingBox();
      let found = false;
      for (let x = 0; x < box.width && !found; x += 6) {
        for (let y = 18; y < box.height && !found; y += 9) {
          await page.mouse.move(box.x + x, box.y + y);
          found = await page.evaluate(() => !document.querySelector('.tip').hidden && /0x[0-9a-f]{8}/.test(document.querySelector('.tip').textContent));
        }
      }
      assert.ok(found, 'a tip');
      await page.mouse.down();
      await page.mouse.up();
      await page.waitForFunction(() => location.hash.startsWith('#rpc='));
    });

    await test(`${one.name}: every finding under its link`, async () => {
      for (const finding of one.findings.slice(0, 8)) {
        await page.evaluate((hash) => { location.hash = hash; }, `finding=${finding.rule}:${finding.frame}`);
        await page.waitForFunction((text) => document.querySelector('.finding.here')?.textContent.includes(text), spelled(finding.message));
      }
    });

    await test(`${one.name}: each finding says how sure it is, and every frame that it names leads to something`, async () => {
      const said = await page.evaluate(() => [...document.querySelectorAll('.finding .certainty strong')].map(({textContent}) => textContent));
      const words = {definite: 'Certain', likely: 'Likely', possible: 'Only possible'};
      assert.deepEqual(said.sort(), one.findings.map(({certainty}) => words[certainty]).sort());
      for (const frame of new Set(one.findings.flatMap((finding) => [finding.frame, ...finding.related]).slice(0, 12))) {
        await page.evaluate((hash) => { location.hash = hash; }, `frame=${frame}`);
        await page.waitForFunction((text) => document.querySelector('#rpc-body').textContent.includes(text), `Frame ${frame}`);
        assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Ladder');
        const named = one.findings.find((finding) => finding.frame === frame || finding.related.includes(frame));
        assert.ok((await page.locator('#rpc-body').textContent()).includes(named.rule), `frame ${frame}: ${named.rule}`);
      }
      await page.evaluate(() => { location.hash = 'frame=99999999'; });
      await page.waitForFunction(() => document.querySelector('#rpc-body').textContent.includes('There is no such frame'));
    });

    await test(`${one.name}: which copy was accepted, what was sent again, and by whom`, async () => {
      for (const rpc of one.details.filter((rpc) => rpc.setbacks || rpc.reply_accepted_frame || rpc.call_accepted_frame).slice(0, 4)) {
        await page.evaluate((hash) => { location.hash = hash; }, `rpc=${rpc.conn}:${rpc.xid}@${rpc.call_frame}`);
        await page.waitForFunction((xid) => document.querySelector('#rpc .figures')?.textContent.includes(xid), rpc.xid);
        const rows = await table(page, 'Steps of this RPC');
        const frames_of = (state) => rows.filter(({how}) => how.startsWith(state)).flatMap(({frames}) => frames.trim().split(/\s+/)).filter(Boolean).map(Number);
        assert.deepEqual(frames_of('accepted'), [rpc.call_accepted_frame, rpc.reply_accepted_frame].filter((frame) => frame !== undefined));
        const again = (rpc.setbacks ?? []).filter(({what, frame}) => what === 'sent_again' && frame !== rpc.call_accepted_frame && frame !== rpc.reply_accepted_frame);
        assert.deepEqual(frames_of('sent again').filter((frame) => Number.isInteger(frame)), again.map(({frame}) => frame));
      }
    });

    await test(`${one.name}: tables are sorted by their headings`, async () => {
      const heading = page.locator('#rpcs thead button', {hasText: 'sent at'});
      await heading.click();
      await heading.click();
      const times = (await table(page, 'RPCs')).map((row) => Number(row['sent at']));
      assert.deepEqual(times, [...times].sort((a, b) => a - b));
      assert.equal(await page.locator('#rpcs th[aria-sort]').getAttribute('aria-sort'), 'ascending');
    });

    await test(`${one.name}: nothing is wider than the page, in any colours, and it can be printed`, async () => {
      for (const width of [1280, 400]) {
        for (const scheme of ['light', 'dark']) {
          await page.setViewportSize({width, height: 900});
          await page.emulateMedia({colorScheme: scheme});
          await page.waitForTimeout(250);
          assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
          const back = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
          assert.equal(/rgb\((\d+)/.exec(back)[1] > 128, scheme === 'light');
        }
      }
      await page.setViewportSize({width: 1280, height: 900});
      await page.locator('#theme').click();
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light');
      assert.ok((await page.pdf({format: 'A4'})).length > 10000);
    });

    await test(`${one.name}: who hears the page finds their way`, async () => {
      const lacking = await page.evaluate(() => {
        const name = (element) => element.getAttribute('aria-label') || element.textContent.trim() || element.labels?.length;
        const bad = [];
        for (const element of document.querySelectorAll('button, a[href], select, input, [tabindex="0"], [role="img"]')) {
          if (!name(element)) {
            bad.push(element.outerHTML.slice(0, 120));
          }
        }
        for (const one of document.querySelectorAll('table')) {
          if (!one.caption || !one.tHead || one.querySelector('thead th:not([scope])')) {
            bad.push('a table without caption or headings');
          }
        }
        const levels = [...document.querySelectorAll('h1, h2, h3, h4')].map((heading) => Number(heading.tagName[1]));
        levels.forEach((level, i) => i > 0 && level > levels[i - 1] + 1 && !(levels[i - 1] === 1 && level === 3) && bad.push(`h${levels[i - 1]} is followed by h${level}`));
        const ids = [...document.querySelectorAll('[id]')].map(({id}) => id);
        new Set(ids).size === ids.length || bad.push('an id that stands twice');
        for (const landmark of ['header', 'nav', 'main', 'footer']) {
          document.querySelector(landmark) || bad.push(`no ${landmark}`);
        }
        return bad;
      });
      assert.deepEqual(lacking, []);
    });

    await test(`${one.name}: no message, error or request`, async () => assert.deepEqual(wrong, []));
    await page.close();
  }
});
