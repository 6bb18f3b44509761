import { expect, test } from 'vitest';
import { besideRun, type SmallFlow } from '../testing/beside-run.ts';
import { python } from '../testing/small-nodes.ts';

const tool = 'from promptflow.core import tool\n';
const decorated = (decorator: string): string => `${tool}${decorator}\ndef f(q):\n    return q\n`;
const importing = (statement: string): string => `${tool}${statement}\n@tool\ndef f(q):\n    return q\n`;

/** A flow with a node for each file that is one letter long. */
function flowOf(files: Readonly<Record<string, string>>): SmallFlow {
  const names = Object.keys(files).flatMap((path) => /^([a-e])\.py$/.exec(path)?.[1] ?? []);
  return { nodes: names.map((name) => python(name, '{q: hi}')), files };
}

const flows: Readonly<Record<string, SmallFlow>> = {
  'decorators that are handed no function': flowOf({
    'a.py': decorated('@tool(1)'),
    'b.py': decorated('@tool("ask", name="b")'),
    'c.py': decorated('@pf.tool("ask")').replace(tool, 'import promptflow as pf\n'),
    'd.py': importing('import helper'),
    'helper.py': `${tool}\nclass Kind:\n    @tool(["a"])\n    def f(self, q):\n        return q\n`,
  }),
  'decorators that make a tool': flowOf({
    'a.py': decorated('@tool()'),
    'b.py': decorated('@tool(name="b")'),
    'c.py': decorated('@tool(None, name="c")'),
    'd.py': `${tool}mark = tool\ndef named(text):\n    return mark\n@named("d")\ndef f(q):\n    return q\n`,
    'e.py': decorated('@tool("e")').replace('@', 'def tool(name, made=tool):\n    return made\n@'),
  }),
  'decorators that other code defines': flowOf({
    'a.py': decorated('from own import tool\n@tool("a")'),
    'b.py': decorated('@pf.tool("b")').replace(tool, 'import promptflow as pf\nimport own as pf\n'),
    'c.py': decorated('@pf.tool("c")').replace(tool, 'import own, promptflow as pf\npf.tool = own.tool\n'),
    'own.py': 'from promptflow.core import tool as made\n\ndef tool(name):\n    return made\n',
  }),
  'a class with the decorator of a function': flowOf({
    'a.py': `${tool}@tool\nclass Said:\n    def __call__(self, q):\n        return q\n`,
  }),
  'tools that no decorator makes': flowOf({
    'a.py': 'from promptflow.core import tool as made\nf = made(lambda q: q)\n',
    'b.py': 'from own import makes\n\ndef plain(q):\n    return q\nplain = makes(plain)\n',
    'c.py': `${decorated('@tool')}@tool\ndef makes(q):\n    return q\nfrom own import makes\n`,
    'own.py': 'from promptflow.core import tool\n\ndef makes(function):\n    return tool(function)\n',
  }),
  'files that import each other before they define what is asked': flowOf({
    'a.py': importing('import first'),
    'first.py': 'import second\n\ndef one():\n    return second.two()\n',
    'second.py': 'import third\n\ndef two():\n    return third.three()\n',
    'third.py': 'from first import one\n\ndef three():\n    return one\n',
  }),
  'parts of a package that import each other': flowOf({
    'a.py': importing('from words.first import one'),
    'words/__init__.py': '',
    'words/first.py': 'from .second import two\none = 1\n',
    'words/second.py': 'from . import first\nfrom .first import one\ntwo = 2\n',
  }),
  'the file of a node that one of its modules imports': flowOf({
    'a.py': importing('from helper import said'),
    'helper.py': 'from a import f\n\ndef said(q):\n    return f\n',
  }),
  'files that import each other in an order that works': flowOf({
    'a.py': importing('import first, whole, words'),
    'first.py': 'one = 1\nfrom second import two\n',
    'second.py': 'from first import one\ntwo = 2\n',
    'whole.py': 'import other\n\ndef said():\n    return other.said()\n',
    'other.py': 'import whole\n\ndef said():\n    return whole\n',
    'words/__init__.py': 'from . import near\nfrom .near import far\n',
    'words/near.py': 'from words import beside\nfar = beside.far\n',
    'words/beside.py': 'far = 1\n',
  }),
  'files that another node imports in an order that works': flowOf({
    'a.py': importing('import first'),
    'b.py': importing('import second'),
    'first.py': 'one = 1\nfrom second import two\n',
    'second.py': 'from first import one\ntwo = 2\n',
  }),
  'files that a condition imports in an order that works': flowOf({
    'a.py': importing('if True:\n    import first\nimport second'),
    'first.py': 'one = 1\nfrom second import two\n',
    'second.py': 'from first import one\ntwo = 2\n',
  }),
  'files of a folder that is no package, in an order that works': flowOf({
    'a.py': importing('from words import first\nimport words.second'),
    'words/first.py': 'one = 1\nfrom words.second import two\n',
    'words/second.py': 'from words.first import one\ntwo = 2\n',
  }),
  'files that are imported by their names in an order that works': flowOf({
    'a.py': importing('import importlib\nimportlib.import_module("first")\nimport second'),
    'first.py': 'one = 1\nfrom second import two\n',
    'second.py': 'from first import one\ntwo = 2\n',
  }),
  'a package that adds its own folder to those that are searched': flowOf({
    'a.py': importing('from pkg.words import said'),
    'pkg/__init__.py': 'import os, sys\nsys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__))))\n',
    'pkg/words.py': 'from utils.log import said\n',
    'pkg/utils/log.py': 'said = 1\n',
  }),
  'a package that adds its own folder, and asks for what is nowhere': flowOf({
    'a.py': importing('from pkg.words import said'),
    'pkg/__init__.py': 'import sys\nfrom pathlib import Path\nsys.path.insert(0, str(Path(__file__).parent))\n',
    'pkg/words.py': 'from utils.log import said\n',
    'pkg/utils/log.py': 'from nowhere_at_all import said\n',
  }),
  'a folder of the flow that is added to those that are searched': flowOf({
    'a.py': importing('import os, sys\nsys.path.append(os.path.dirname(__file__) + "/pkg")\nfrom words import said'),
    'pkg/words.py': 'said = 1\n',
  }),
  'a module of the flow that is asked for by another name': flowOf({
    'a.py': importing('from lib.core import said'),
    'lib/core.py': 'from part import said\n',
    'lib/part.py': 'said = 1\n',
  }),
  'a prompty taken from where promptflow has it': flowOf({
    'a.py': importing('from promptflow.core._flow import AsyncPrompty, Prompty'),
  }),
  'files of which one sets the name in the other': flowOf({
    'a.py': importing('import first'),
    'first.py': 'from second import two\none = 1\n',
    'second.py': 'import first\nfirst.one = 0\nfrom first import one\ntwo = 2\n',
  }),
  'a file with the name of a module that Python has imported': flowOf({
    'a.py': importing('from types import SimpleNamespace'),
    'types.py': 'one = 1\n',
  }),
  'a name that a file gives itself by its frame': flowOf({
    'a.py': importing('from first import one'),
    'first.py': 'import sys\nsys._getframe().f_globals["one"] = 1\n',
  }),
  'parts of a package that it lists, in an order that works': flowOf({
    'a.py': importing('from words import *\nimport words.second'),
    'words/__init__.py': '__all__ = ["first", "second"]\n',
    'words/first.py': 'one = 1\nfrom words.second import two\n',
    'words/second.py': 'from words.first import one\ntwo = 2\n',
  }),
  'a part of a package with the name of a function': flowOf({
    'a.py': importing('from words import first'),
    'words/__init__.py': 'def first():\n    return 1\n',
    'words/first.py': 'from words.second import two\none = 1\n',
    'words/second.py': 'from words.first import one\ntwo = 2\n',
  }),
  'a flow that is code, whose module is imported by another': {
    flex: 'entry: main:run\n',
    files: {
      'main.py': 'import helper\n\ndef run():\n    return helper.said\n',
      'helper.py': 'from main import run\nsaid = 1\n',
    },
  },
  'a flow that is code in a package, which is loaded first': {
    flex: 'entry: words.main:run\n',
    files: {
      'words/__init__.py': 'import first\n',
      'words/main.py': 'import second\n\ndef run():\n    return second.two\n',
      'first.py': 'one = 1\nfrom second import two\n',
      'second.py': 'from first import one\ntwo = 2\n',
    },
  },
  'a flow that is code in a package whose files set names in each other': {
    flex: 'entry: words.main:run\n',
    files: {
      'words/__init__.py': 'import second\n',
      'words/main.py': 'def run():\n    return 1\n',
      'first.py': 'import second\nsetattr(second, "two", 2)\nfrom second import two\none = 1\n',
      'second.py': 'import first\nfrom first import one\ntwo = 1\n',
    },
  },
  'a flow that is code, whose module gives what it is asked for': {
    flex: 'entry: main:run\n',
    files: {
      'main.py': 'word = 1\nimport helper\n\ndef run():\n    return helper.said\n',
      'helper.py': 'from main import word\nsaid = word\n',
    },
  },
};

test('check tells what raises whenever Python of a flow is loaded: wrong decorators, files that import each other', async () => {
  await expect(await besideRun(flows)).toMatchFileSnapshot('check-python-loading.golden.txt');
});
