from promptflow._stand_in import log_metric
