"""Modules that a flow names to be imported before its nodes are made ready."""

import importlib

from .failure import LoadFailure


def import_modules(modules):
    for module in modules or []:
        try:
            importlib.import_module(module["module"])
        except Exception as error:
            is_missing = isinstance(error, ImportError)
            cause = f"{module['what']} failed. Root cause: {error!r}" if is_missing else error
            raise LoadFailure(
                f"Failed to import modules with error: {cause}.",
                "FailedToImportModule",
            ) from error
