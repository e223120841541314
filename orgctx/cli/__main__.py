from orgctx.cli import main

main()
