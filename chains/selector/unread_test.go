package selector_test

import (
	"testing"

	"breadboard/chains/selector"
	"breadboard/grid/longtest"
)

// TestUnread: files of formats that are not read are refused with the way to one that is.
func TestUnread(t *testing.T) {
	for path, want := range map[string]string{
		"dir/alarm.rds": `dir/alarm.rds: the format is R's RDS, which is not read; in R, write ` +
			`bnlearn::write.bif("alarm.rds.bif", readRDS("alarm.rds"))`,
		"alarm.RData": `get(load("alarm.RData"))`,
		"x.nc":        `xarray.open_dataset("x.nc")`,
		"x.wcsp":      "write the network as x.wcsp.uai, with exp(-cost) in its tables",
		"x.dne":       "save it as .xdsl; then in Python, write import pyagrum",
		"x.neta":      "save it as .dne in Netica",
		"x.oobn":      "in run mode as .net",
		"x.dsl.gz":    "GeNIe",
		"d/x.net": `d/x.net: the format is Hugin's NET, which is not read; in Python, write import ` +
			`pyagrum; pyagrum.saveBN(pyagrum.loadBN("x.net"), "x.net.bif")`,
		"x.xml":  `give it the ending .bifxml; then in Python`,
		"x.xdsl": `loadBN("x.xdsl")`,
		"x.dsc":  `in R, write bnlearn::write.bif("x.dsc.bif", bnlearn::read.dsc("x.dsc"))`,
		"x.fg":   "write the network as x.fg.uai",
		"x.TRA": "the format is one of model checkers, which is not read; write transitions as a " +
			"matrix in x.TRA.mtx",
		"x.m": "writematrix(full(P), 'x.m.csv')",
	} {
		longtest.Refused(t, selector.Unread(path), want)
	}
	longtest.NoError(t, selector.Unread("x.bif"))
}
