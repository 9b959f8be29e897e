#!/bin/bash
# Virtual Programming Lab: writes vpl_execution, which the jail runs to evaluate what was handed in.
cat >vpl_execution <<'END'
#!/bin/bash
exec "${COURSE:-/opt/course/course}" autograde . --settings "${SETTINGS:-/opt/class.toml}" --vpl
END
chmod +x vpl_execution
