"""Told files, modules and tools of packages as JSON, tells which of them this Python cannot find or take. Runs no code of the user's."""

import sys

if sys.version_info < (3, 9):
    sys.exit("Python 3.9 or newer is needed; %s is %s" % (sys.executable, sys.version.split()[0]))

import json
import os


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != here]
    sys.path.insert(0, here)
    from unroll_worker.missing_imports import Imports
    from unroll_worker.search_path import take_stand_ins, use_search_path

    use_search_path(here, take_stand_ins())
    asked = json.loads(sys.stdin.buffer.read())
    answer, sys.stdout = sys.stdout, sys.stderr
    imports = Imports()
    for path in asked["files"]:
        imports.read_loaded(path)
    made = []
    for node in asked["nodes"]:
        seen = imports.read_node(node["file"], node["onlyMarked"])
        made += [(node, seen)] if seen and "literals" in node else []
    imports.tell_absent()
    if not asked["modules"]:
        imports.tell_circular({node["file"] for node in asked["nodes"]}, set(asked["entries"]), set(asked["files"]))
    imports.read_called()
    missing = [name for name in asked["modules"] if not imports.finds(name)]
    told = {"missing": imports.told.missing, "unreadable": imports.told.unreadable, "unfit": imports.told.unfit}
    is_doubtful = imports.search.is_doubtful or imports.search.installs
    more = {"modules": missing, "tools": unusable(asked["tools"]), "isDoubtful": is_doubtful}
    more["unready"] = mistakes(made, asked["packageNodes"])
    more["assistants"] = assistants(asked["packageNodes"])
    answer.write(json.dumps({**told, **more}))


def unusable(tools):
    if not tools:
        return []
    from unroll_worker.package_tools import unusable_tools

    return unusable_tools(tools)


def mistakes(made, of_packages):
    if not made and not of_packages:
        return []
    from unroll_worker.package_mistakes import constructor_mistakes, package_mistakes

    return [told for node, seen in made for told in constructor_mistakes(node, seen)] + package_mistakes(of_packages)


def assistants(of_packages):
    if not of_packages:
        return []
    from unroll_worker.package_mistakes import assistant_inputs

    return assistant_inputs(of_packages)


if __name__ == "__main__":
    main()
