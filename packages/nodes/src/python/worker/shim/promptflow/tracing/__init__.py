from promptflow._stand_in import start_trace, trace
