from typing import List

from promptflow.core import log_metric, tool


@tool
def sum_up(grades: List[dict]) -> dict:
    """全行の指標。"""
    right = sum(grade["is_right"] for grade in grades)
    metrics = {"accuracy": right / len(grades), "lines": len(grades)}
    for name, value in metrics.items():
        log_metric(name, value)
    return metrics
