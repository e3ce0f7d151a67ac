"""What kustomizations do with the files that are converted, and the component that `--output-overlay` makes."""
