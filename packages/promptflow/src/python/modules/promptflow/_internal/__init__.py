from promptflow._stand_in import ToolProvider, log_metric, tool


def register_connections(connection_classes):
    """Makes classes of a package known among the connections, by their names."""
    import promptflow.connections as connections

    for one in connection_classes if isinstance(connection_classes, list) else [connection_classes]:
        setattr(connections, one.__name__, one)
