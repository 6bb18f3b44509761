"""Of Azure's runtime, which is not public, what promptflow_vectordb imports of it."""
