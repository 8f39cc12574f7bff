"""What is said after a race was judged and changes it: another card, a press that was for the new card, a protest."""
