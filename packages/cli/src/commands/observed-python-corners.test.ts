import type { ObservedCase } from '../testing/observed-flow.ts';
import { testObserved } from '../testing/test-observed.ts';

const node = (body: string, head = 'import os'): string =>
  `${head}\nfrom promptflow.core import tool\n\n\n@tool\ndef run(q: str):\n    ${body}\n`;

/** Ways that go past the plain functions, and places where what code made itself and what it is given lie side by side. */
const cases: readonly ObservedCase[] = [
  {
    name: 'folder_by_descriptor',
    code: node('return "b" if len(os.listdir(os.open("FOLDER/outside/listed", os.O_RDONLY))) > 1 else "a"'),
    files: { 'outside/listed/1': '' },
    later: { files: { 'outside/listed/2': '' } },
  },
  {
    name: 'opened_from_a_folder',
    code: node(
      'folder = os.open("FOLDER/outside", os.O_RDONLY)\n    return os.read(os.open("from.txt", os.O_RDONLY, dir_fd=folder), 9).decode()',
    ),
    files: { 'outside/from.txt': 'a' },
    later: { files: { 'outside/from.txt': 'b' } },
  },
  {
    name: 'looked_for_from_a_folder',
    code: node(
      'folder = os.open("FOLDER/outside", os.O_RDONLY)\n    try:\n        return "b" if os.stat("looked.txt", dir_fd=folder) else ""\n    except OSError:\n        return "a"',
    ),
    later: { files: { 'outside/looked.txt': '' } },
  },
  {
    name: 'path_exists',
    code: node('return "b" if Path("FOLDER/outside/path_there.txt").exists() else "a"', 'from pathlib import Path'),
    later: { files: { 'outside/path_there.txt': '' } },
  },
  {
    name: 'sizes_in_folder',
    code: node('return "b" if sum(entry.stat().st_size for entry in os.scandir("FOLDER/outside/sizes")) > 1 else "a"'),
    files: { 'outside/sizes/1': '1' },
    later: { files: { 'outside/sizes/1': '12' } },
  },
  {
    name: 'walked',
    code: node('return "b" if sum(len(files) for _, _, files in os.walk("FOLDER/outside/walked")) > 1 else "a"'),
    files: { 'outside/walked/in/1': '' },
    later: { files: { 'outside/walked/in/2': '' } },
  },
  {
    name: 'in_a_folder_of_its_own',
    code: node(
      'os.makedirs("FOLDER/outside/own", exist_ok=True)\n    return "b" if os.path.exists("FOLDER/outside/own/given.txt") else "a"',
    ),
    later: { files: { 'outside/own/given.txt': '' } },
  },
  {
    name: 'beside_a_folder_of_its_own',
    code: node(
      'os.makedirs("FOLDER/outside/made", exist_ok=True)\n    return open("FOLDER/outside/made_before.txt").read()',
    ),
    files: { 'outside/made_before.txt': 'a' },
    later: { files: { 'outside/made_before.txt': 'b' } },
  },
  {
    name: 'temporary_folder',
    code: node(
      'with tempfile.TemporaryDirectory() as folder:\n        shutil.copy("FOLDER/outside/temporary.txt", folder)\n        return open(os.path.join(folder, os.listdir(folder)[0])).read()',
      'import os\nimport shutil\nimport tempfile',
    ),
    files: { 'outside/temporary.txt': 'a' },
    later: { files: { 'outside/temporary.txt': 'b' } },
  },
  {
    name: 'folder_that_becomes_a_package',
    code: node('return getattr(bare_folder, "word", "a")', 'import bare_folder'),
    files: { 'flow/bare_folder/some.py': '' },
    later: { files: { 'flow/bare_folder/__init__.py': 'word = "b"\n' } },
  },
  {
    name: 'data_of_a_package',
    code: node('return pkgutil.get_data("own_package", "word.txt").decode()', 'import pkgutil'),
    files: { 'flow/own_package/__init__.py': '', 'flow/own_package/word.txt': 'a' },
    later: { files: { 'flow/own_package/word.txt': 'b' } },
  },
  {
    name: 'mapped',
    code: node(
      'with open("FOLDER/outside/mapped.txt", "rb") as file:\n        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)[:1].decode()',
      'import mmap',
    ),
    files: { 'outside/mapped.txt': 'a' },
    later: { files: { 'outside/mapped.txt': 'b' } },
  },
  {
    name: 'attached_database',
    code: node(
      'rows = sqlite3.connect(":memory:")\n    rows.execute("attach database ? as other", ("FOLDER/outside/" + "attached.db",))\n    return "b" if rows.execute("select count(*) from other.sqlite_master").fetchone()[0] else "a"',
      'import sqlite3',
    ),
    later: {},
    isUnseen: true,
  },
  {
    name: 'own_posix',
    code: node('return "a" if posix.environ else "b"', 'import posix'),
    later: {},
    isUnseen: true,
  },
  {
    name: 'library_of_the_process',
    code: node('return "a" if ctypes.CDLL(None).getpid() else "b"', 'import ctypes'),
    later: {},
    isUnseen: true,
  },
  {
    name: 'ctypes_is_only_imported',
    code: node('return open("FOLDER/outside/types.txt").read()[ctypes.sizeof(ctypes.c_char) - 1]', 'import ctypes'),
    files: { 'outside/types.txt': 'a' },
    later: { files: { 'outside/types.txt': 'b' } },
  },
  {
    name: 'processes',
    code: node(
      'with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as processes:\n        return processes.submit(chr, 97).result()',
      'import multiprocessing\nfrom concurrent.futures import ProcessPoolExecutor',
    ),
    later: {},
    isUnseen: true,
  },
  {
    name: 'evaluated_with_a_name',
    code: node(
      'found = {}\n    exec(compile("text = open(\'FOLDER/outside/evaluated.txt\').read()", "/other/file.py", "exec"), found)\n    return found["text"]',
    ),
    files: { 'outside/evaluated.txt': 'a' },
    later: { files: { 'outside/evaluated.txt': 'b' } },
  },
  {
    name: 'task_that_is_left',
    code: `import asyncio\nfrom promptflow.core import tool\n\n\nasync def read():\n    await asyncio.sleep(0)\n    return open("FOLDER/outside/task.txt").read()\n\n\n@tool\nasync def run(q: str):\n    return await asyncio.create_task(read())\n`,
    files: { 'outside/task.txt': 'a' },
    later: { files: { 'outside/task.txt': 'b' } },
  },
  {
    name: 'standard_module_shadowed',
    code: node(
      'return getattr(import_module("".join(["colors", "ys"])), "V", "a")',
      'from importlib import import_module',
    ),
    later: { files: { 'flow/colorsys.py': 'V = "b"\n' } },
  },
  {
    name: 'folder_that_is_not_there',
    code: node(
      'list(os.walk("FOLDER/outside/nowhere"))\n    return "b" if os.path.exists("FOLDER/outside/nowhere") else "a"',
    ),
    later: { files: { 'outside/nowhere': '' } },
  },
  {
    name: 'home_folder',
    code: node('return os.path.expanduser("~")[-1]'),
    variables: { HOME: '/tmp/home-a' },
    later: { variables: { HOME: '/tmp/home-b' } },
  },
  {
    name: 'module_shadowed_by_package',
    code: node('return __import__("plugged" + "_in").V'),
    files: { 'flow/plugged_in.py': 'V = "a"\n' },
    later: { files: { 'flow/plugged_in/__init__.py': 'V = "b"\n' } },
  },
];

testObserved(cases, 'py');
