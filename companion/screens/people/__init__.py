"""What is told of people: sheets of tables and plots, for pages, print-outs and PDF, and files for other programs."""
