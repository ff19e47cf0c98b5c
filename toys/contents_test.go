package toys_test

import (
	"os"
	"testing"

	"breadboard/chains/numpy"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/forms"
)

// TestRecognised: the path of a file in the place of a selector is answered by what it holds, and
// how that is read, whatever it is called.
func TestRecognised(t *testing.T) {
	asia := string(longtest.Sure(os.ReadFile("networks/testdata/asia.bif")))
	for i, c := range [][2]string{
		{asia, "write how it is to be read: bif:"},
		{"MARKOV 1 2 1 1 0 2 1 2", "(UAI)"},
		{"M= 2\nN= 1\nA:\n1\nB:\n0.5 0.5\npi:\n1\nT= 2\n1 2\n", "hmm:"},
		{"i,j,weight\n0,1,2\n1,2,3\n", "maxcut:"},
		{"0 1 {}\n1 2 {}\n", "graph:"},
		{"3 2\n1 2 1\n2 3 1\n", "rudy:"},
		{",dry,wet\ndry,0.75,0.25\nwet,0.5,0.5\n", "matrix:"},
		{".chain,.iteration,mu\n1,1,0.5\n1,2,0.75\n", "samplers diagnose "},
		{"-0.5,1.5\n2.5,-inf\n", "file:"},
		{"state,p\ndry,0.75\nwet,0.25\n", "read: prob:"},
		{string(numpy.Floats([]float64{1, 2, 3, 4}, 2, 2)), "qubo:"},
	} {
		path := fileOf(t, "x.dat", []byte(c[0]))
		longtest.Refuses(forms.Targets().Parse(path))(t, c[1], c[0])
		if err := toys.Recognised(path, true); (err == nil) != (i < 3) { // networks are read by the path
			t.Errorf("%q by its path: %v", c[0], err)
		}
	}
	sentence := fileOf(t, "x", []byte("A sentence of words.\n"))
	longtest.Refused(t, toys.Recognised(sentence, false),
		"x is a file, and holds nothing that is recognised; write how it is to be read, as in file:")
	longtest.NoError(t, toys.Recognised(sentence, true))
}
