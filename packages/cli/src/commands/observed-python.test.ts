import type { ObservedCase } from '../testing/observed-flow.ts';
import { testObserved } from '../testing/test-observed.ts';

const node = (body: string, head = 'import os'): string =>
  `${head}\nfrom promptflow.core import tool\n\n\n@tool\ndef run(q: str):\n    ${body}\n`;

/** Each way in which code gets at something that no text of it names. */
const cases: readonly ObservedCase[] = [
  {
    name: 'secret_variable',
    code: node('return os.environ["SEEN_API_KEY"]'),
    variables: { SEEN_API_KEY: 'a' },
    later: { variables: { SEEN_API_KEY: 'b' } },
    alsoRuns: ['all_variables'],
  },
  {
    name: 'computed_variable',
    code: node('return os.getenv("_".join(["SEEN", "COMPUTED"]))'),
    variables: { SEEN_COMPUTED: 'a' },
    later: { variables: { SEEN_COMPUTED: 'b' } },
    alsoRuns: ['all_variables'],
  },
  {
    name: 'absent_variable',
    code: node('return os.environ.get("_".join(["SEEN", "ABSENT"]), "a")'),
    later: { variables: { SEEN_ABSENT: 'b' } },
    alsoRuns: ['all_variables'],
  },
  {
    name: 'asked_variable',
    code: node('return "b" if "_".join(["SEEN", "ASKED"]) in os.environ else "a"'),
    later: { variables: { SEEN_ASKED: '' } },
    alsoRuns: ['all_variables'],
  },
  {
    name: 'all_variables',
    code: node('return [value for name, value in dict(os.environ).items() if name.endswith("EN_ALL")][0]'),
    variables: { SEEN_ALL: 'a' },
    later: { variables: { SEEN_ALL: 'b' } },
  },
  {
    name: 'variable_in_bytes',
    code: node('return os.getenvb(b"SEEN_" + b"BYTES").decode()'),
    variables: { SEEN_BYTES: 'a' },
    later: { variables: { SEEN_BYTES: 'b' } },
    alsoRuns: ['all_variables'],
  },
  {
    name: 'variable_at_load',
    code: node('return TONE', 'import os\nTONE = os.environ["SEEN_" + "LOADED"]'),
    variables: { SEEN_LOADED: 'a' },
    later: { variables: { SEEN_LOADED: 'b' } },
    alsoRuns: ['all_variables'],
  },
  {
    name: 'absolute_path',
    code: node('return open("FOLDER/outside/absolute.txt").read()'),
    files: { 'outside/absolute.txt': 'a' },
    later: { files: { 'outside/absolute.txt': 'b' } },
  },
  {
    name: 'pathlib_of_parts',
    code: node('return Path("FOLDER").joinpath("outside", "path.txt").read_text()', 'from pathlib import Path'),
    files: { 'outside/path.txt': 'a' },
    later: { files: { 'outside/path.txt': 'b' } },
  },
  {
    name: 'descriptor',
    code: node('number = os.open("FOLDER/outside/number.txt", os.O_RDONLY)\n    return os.read(number, 9).decode()'),
    files: { 'outside/number.txt': 'a' },
    later: { files: { 'outside/number.txt': 'b' } },
  },
  {
    name: 'opened_in_a_thread',
    code: node(
      'with ThreadPoolExecutor() as threads:\n        return threads.submit(read).result()',
      'from concurrent.futures import ThreadPoolExecutor\n\n\ndef read():\n    return open("/".join(["FOLDER", "outside", "thread.txt"])).read()\n',
    ),
    files: { 'outside/thread.txt': 'a' },
    later: { files: { 'outside/thread.txt': 'b' } },
  },
  {
    name: 'exists',
    code: node('return "b" if os.path.exists("FOLDER/outside/there.txt") else "a"'),
    later: { files: { 'outside/there.txt': '' } },
  },
  {
    name: 'size',
    code: node('return "b" if os.stat("FOLDER/outside/size.txt").st_size > 1 else "a"'),
    files: { 'outside/size.txt': '1' },
    later: { files: { 'outside/size.txt': '12' } },
  },
  {
    name: 'names_in_folder',
    code: node('return "b" if len(os.listdir("FOLDER/outside/names")) > 1 else "a"'),
    files: { 'outside/names/1': '' },
    later: { files: { 'outside/names/2': '' } },
  },
  {
    name: 'pattern',
    code: node(
      'return "b" if len(glob.glob("FOLDER/outside/pattern/**/*.txt", recursive=True)) > 1 else "a"',
      'import glob',
    ),
    files: { 'outside/pattern/in/1.txt': '' },
    later: { files: { 'outside/pattern/in/2.txt': '' } },
  },
  {
    name: 'resources',
    code: node(
      'return resources.files("data_package").joinpath("word.txt").read_text()',
      'from importlib import resources',
    ),
    files: { 'flow/data_package/__init__.py': '', 'flow/data_package/word.txt': 'a' },
    later: { files: { 'flow/data_package/word.txt': 'b' } },
  },
  {
    name: 'computed_import',
    code: node('return importlib.import_module("".join(["plug", "ged"])).V', 'import importlib'),
    files: { 'flow/plugged.py': 'V = "a"\n' },
    later: { files: { 'flow/plugged.py': 'V = "b"\n' } },
  },
  {
    name: 'import_of_an_import',
    code: node('return __import__("first_" + "module").V'),
    files: { 'flow/first_module.py': 'from second_module import V\n', 'flow/second_module.py': 'V = "a"\n' },
    later: { files: { 'flow/second_module.py': 'V = "b"\n' } },
  },
  {
    name: 'loaded_by_path',
    code: node(
      'spec = util.spec_from_file_location("x", "FOLDER/outside/by_path.py")\n    module = util.module_from_spec(spec)\n    spec.loader.exec_module(module)\n    return module.V',
      'from importlib import util',
    ),
    files: { 'outside/by_path.py': 'V = "a"\n' },
    later: { files: { 'outside/by_path.py': 'V = "b"\n' } },
  },
  {
    name: 'import_that_fails',
    code: node(
      'try:\n        import maybe_there\n        return maybe_there.V\n    except ImportError:\n        return "a"',
    ),
    later: { files: { 'flow/maybe_there.py': 'V = "b"\n' } },
  },
  {
    name: 'kept_since_an_earlier_row',
    code: node(
      'return kept()',
      'from functools import lru_cache\n\n\n@lru_cache\ndef kept():\n    return open("FOLDER/outside/kept.txt").read()\n',
    ),
    files: { 'outside/kept.txt': 'a' },
    later: { files: { 'outside/kept.txt': 'b' } },
  },
  {
    name: 'kept_by_a_module',
    code: node('return shared.kept()', 'import shared'),
    files: {
      'flow/shared.py':
        'from functools import lru_cache\n\n\n@lru_cache\ndef kept():\n    return open("FOLDER/outside/shared.txt").read()\n',
      'outside/shared.txt': 'a',
    },
    later: { files: { 'outside/shared.txt': 'b' } },
    alsoRuns: ['kept_by_the_same_module'],
  },
  {
    name: 'kept_by_the_same_module',
    code: node('from shared import kept\n    return kept()'),
    later: { files: { 'outside/shared.txt': 'b' } },
    alsoRuns: ['kept_by_a_module'],
  },
  {
    name: 'awaited',
    code: `import asyncio\nfrom promptflow.core import tool\n\n\ndef read():\n    return open("FOLDER/outside/awaited.txt").read()\n\n\n@tool\nasync def run(q: str):\n    await asyncio.sleep(0)\n    return await asyncio.to_thread(read)\n`,
    files: { 'outside/awaited.txt': 'a' },
    later: { files: { 'outside/awaited.txt': 'b' } },
  },
  {
    name: 'child_process',
    code: node('return subprocess.check_output(["cat", "FOLDER/outside/child.txt"]).decode()', 'import subprocess'),
    files: { 'outside/child.txt': 'a' },
    later: {},
    isUnseen: true,
  },
];

testObserved(cases, 'py');
