"""The documentation site: pages made from rule files, schemas and examples, beside the guides of docs/."""
