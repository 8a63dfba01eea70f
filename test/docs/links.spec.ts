import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(__dirname, '../..');

/** Every Markdown file of the folders that hold documents. */
const DOCUMENTS = ['.', 'docs', 'docs/adr', 'bench', 'chaos', 'attack'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The names by which a link finds the headings of a document. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

it.each(DOCUMENTS)('the links of %s lead to what there is', (path) => {
  const text = read(path).replace(/^```[^]*?^```$/gm, '');
  const broken = [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : join(dirname(path), file);
    if (!existsSync(join(root, target))) return [link];
    return anchor === undefined || anchorsOf(read(target)).includes(anchor) ? [] : [link];
  });
  expect(broken).toEqual([]);
});

it.each(['docs', 'docs/adr'])('%s/README.md names every document beside it', (folder) => {
  const index = read(join(folder, 'README.md'));
  const beside = DOCUMENTS.filter((path) => dirname(path) === folder).map((path) => relative(folder, path));
  expect(beside.filter((name) => name !== 'README.md' && !index.includes(`](${name})`))).toEqual([]);
});
