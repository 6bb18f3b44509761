"""Metrics that code logs while it runs."""

import sys

from .call import current_call


def log_metric(key, value, variant_id=None):
    call = current_call.get()
    if call is not None:
        call.log_metric(key, value)


def listen_to_installed_metrics():
    """With promptflow itself installed its own log_metric is used; it tells listeners."""
    logger = sys.modules.get("promptflow._core.metric_logger")
    if logger is None or getattr(logger, "unroll_listens", False) or not hasattr(logger, "add_metric_logger"):
        return
    logger.add_metric_logger(log_metric)
    logger.unroll_listens = True
