// Package couplings answers: how can two chains of one kernel be moved together, so that they meet? A coupling moves a pair of states such that
// each of the two, looked at alone, moves by the kernel. It is written against a chains.Chooser: sampled it is a Monte Carlo method, and
// enumerated it is a row of the transition matrix of pairs (package exact/meeting).
//
// Every coupling here is faithful: from two equal states both go to the same one, which is drawn by the kernel, so that chains that have met
// stay together. It never says how long chains take to meet, which is a question for exact/meeting, and it never examines the kernel.
//
// Sources: Johnson 1996; Lindvall 1992; Thorisson 2000; Jacob, O'Leary and Atchade 2020.
package couplings
