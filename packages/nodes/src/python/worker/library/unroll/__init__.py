"""Helpers for the Python nodes of Unroll."""

from unroll.functions import function_node

__all__ = ["function_node"]
