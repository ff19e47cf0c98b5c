// Package gap answers: where does B exceed J? It gives the gap B - J of annealings stage by stage, and checks that the stages add up.
// It never prints, draws or reads flags.
package gap
