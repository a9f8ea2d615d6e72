package interchange
import "rcmdplab/core/model"
type writer struct { p *model.Problem; b []byte }
func writeGym(*writer) {}
func writeArrays(*writer) {}
func writeCraam(*writer) {}
func writeTable(*writer) {}
func writeDRN(*writer) {}
func writePrism(*writer) {}
func writeBMDP(*writer) {}
func writeCassandra(*writer) {}
func writeCS747(*writer) {}
