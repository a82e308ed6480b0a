"""What the benchmarks share: inputs, measuring, tables and the last line of JSON."""
