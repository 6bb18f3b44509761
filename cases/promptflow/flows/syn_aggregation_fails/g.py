from promptflow.core import tool
from promptflow.core import log_metric
@tool
def f(xs: list):
    log_metric('before', 1)
    raise ValueError('bad '+str(xs))
