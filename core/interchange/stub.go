package interchange
import "rcmdplab/core/model"
type writer struct { p *model.Problem; b []byte }
func no(*input) string { return "" }
var drnFormat = Format{ID: "drn", looks: no}
var prismFormat = Format{ID: "prism", looks: no}
var cassandraFormat = Format{ID: "cassandra", looks: no}
var cs747Format = Format{ID: "cs747", looks: no}
var bmdpFormat = Format{ID: "bmdp", looks: no}
func writeGym(*writer) {}
func writeArrays(*writer) {}
func writeCraam(*writer) {}
func writeTable(*writer) {}
